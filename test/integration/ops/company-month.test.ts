import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { inPool } from '../../../lib/runtime/pool.ts';
import { seededRandom } from '../../support/data/seeded-random.ts';
import { newId } from '../../support/data/seed.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const SUPPLIERS = 40;
const INVOICES_EACH = 50;
const BATCH = 50;

/** What the company's own system has of an invoice. */
interface Copy {
  readonly supplier: string;
  readonly systemAmount: number;
  declared: number | null;
  revision: number;
  state: string;
}

const portal = usePortal();
const tenant = `t${newId()}.example`;
const random = seededRandom(7);
const copies = new Map<string, Copy>();
let folder: string;
let callers: { supplier: string; call: Invoke; ids: readonly string[] }[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'month-'));
  const tolerance = fromTolerance({ mode: 'PCT', pct: decimal('5'), abs: null, autoApprove: true });
  const accounts = await Promise.all(
    Array.from({ length: SUPPLIERS }, (_, index) =>
      portal.newCaller({ tenant: { tenant, tolerance }, supplier: { supplier_id: `${100 + index}` } }),
    ),
  );
  callers = accounts.map(({ account, call }, index) => {
    const supplier = account.scope.supplierId;
    const ids = Array.from({ length: INVOICES_EACH }, (_each, place) => `${(index + 1) * 1000 + place}`);
    for (const id of ids) {
      const systemAmount = Math.round(100 + random() * 100_000) / 100;
      copies.set(id, { supplier, systemAmount, declared: null, revision: 0, state: 'PEN' });
    }
    return { supplier, call, ids };
  });
}, 60_000);

const ops = (...args: string[]) => runOps(portal.engine.endpoint, ...args);
const fileOf = (name: string) => join(folder, name);

async function importAll(): Promise<void> {
  const records = [...copies].map(([id, { supplier, systemAmount }]) =>
    JSON.stringify({
      ...{ supplier_id: supplier, invoice_id: id, service_id: id, system_amount: systemAmount },
      invoice_date: `2026-08-${String(1 + (Number(id) % 28)).padStart(2, '0')}`,
    }),
  );
  await writeFile(fileOf('invoices.ndjson'), records.join('\n'));
  const { stdout } = await ops('import-invoices', fileOf('invoices.ndjson'), '--tenant', tenant, '--zone', '-03:00');
  expect(stdout).toContain(`${SUPPLIERS * INVOICES_EACH} created, 0 changed, 0 unchanged, 0 rejected`);
}

/** Suppliers declare some of their invoices, near the system's amount or far from it. */
async function declareSome(share: number): Promise<void> {
  await inPool(callers, 8, async ({ call, ids }) => {
    const declarations = ids
      .filter(() => random() < share)
      .slice(0, BATCH)
      .map((id) => {
        const amount = Math.round((copies.get(id)?.systemAmount ?? 0) * (random() < 0.5 ? 101 : 120 + random())) / 100;
        return { invoice_id: id, amount };
      });
    if (declarations.length === 0) return;
    const { status, body } = await call('declare-batch', { body: { declarations } });
    expect([status, body.data.rejected]).toEqual([200, 0]);
  });
}

/** Takes what was declared since the last time into the company's copy. */
async function copyDeclarations(): Promise<void> {
  const { code, stdout } = await ops('export-declarations', tenant, '--json', '--cursor-file', fileOf('cursor'));
  expect(code).toBe(0);
  for (const declaration of JSON.parse(stdout).declarations) {
    const copy = copies.get(declaration.invoice_id);
    expect([copy?.supplier, copy?.revision]).toEqual([declaration.supplier_id, declaration.revision - 1]);
    if (!copy) continue;
    copy.revision = declaration.revision;
    copy.declared = declaration.declared_amount;
    copy.state = declaration.state_code;
  }
}

/** Writes the sheet of invoices in a state, with one decision on all of them. */
async function review(name: string, state: string, decision: string): Promise<void> {
  const { stdout } = await ops('list-invoices', tenant, '--state', state, '--csv');
  await writeFile(fileOf(name), stdout.replaceAll(/,,\n/g, `,${decision},Reviewed\n`));
}

/** Gives a reviewed sheet back; how many of its rows were decided, and how many rejected. */
async function decide(name: string, decision: string): Promise<{ decided: number; rejected: number }> {
  const { stdout } = await ops('decide', fileOf(name), '--tenant', tenant, '--json');
  const { decided, rejected, rejects_file: rejects } = JSON.parse(stdout);
  const idsIn = (text: string) => [...text.matchAll(/^\d+,(\d+),/gm)].map(([, id = '']) => id);
  const refused = new Set(rejects === null ? [] : idsIn(await readFile(rejects, 'utf8')));
  for (const id of idsIn(await readFile(fileOf(name), 'utf8'))) {
    const copy = copies.get(id);
    if (copy && !refused.has(id)) copy.state = decision;
  }
  return { decided, rejected };
}

describe("a company's month", { tags: 'long' }, () => {
  it('ends with a copy that equals the portal, amount by amount, whatever was declared twice or decided too late', async () => {
    await importAll();
    await Promise.all([declareSome(0.6), copyDeclarations()]);
    await copyDeclarations();
    await review('review.csv', 'REV', 'APR');
    // Some declare again while the sheet is reviewed.
    await Promise.all([declareSome(0.3), copyDeclarations()]);
    await copyDeclarations();
    const first = await decide('review.csv', 'APR');
    expect(first.decided).toBeGreaterThan(100);
    expect(first.rejected).toBeGreaterThan(20);
    const again = await decide('review.csv', 'APR');
    expect(again).toEqual({ decided: 0, rejected: first.rejected });

    await review('late.csv', 'REV', 'AJU');
    expect((await decide('late.csv', 'AJU')).rejected).toBe(0);
    await review('settled.csv', 'APR', 'LIQ');
    expect((await decide('settled.csv', 'LIQ')).rejected).toBe(0);
    await copyDeclarations();

    const { invoices } = JSON.parse((await ops('list-invoices', tenant, '--json')).stdout);
    const portalHas = (invoices as Record<string, unknown>[]).map((each) => [
      each['invoice_id'],
      {
        ...{ supplier: each['supplier_id'], systemAmount: each['system_amount'], declared: each['declared_amount'] },
        ...{ revision: each['revision'] ?? 0, state: each['state_code'] },
      },
    ]);
    expect(Object.fromEntries(portalHas)).toEqual(Object.fromEntries(copies));
    expect(new Set([...copies.values()].map(({ state }) => state))).toEqual(new Set(['PEN', 'AJU', 'LIQ']));
    expect((await ops('verify-counters', tenant)).stdout).toContain('0 differences');
  }, 120_000);
});
