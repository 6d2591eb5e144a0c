import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCounts } from '../../../lib/admin/import/import-invoices.ts';
import type { DeclarationRequest } from '../../../lib/domain/declaration.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { importLines } from '../../support/data/import-lines.ts';
import { declareAlone } from '../../support/data/declare-one.ts';
import { newId } from '../../support/data/seed.ts';
import { rightCounters, storedInvoices, storedRevisions } from '../../support/data/stored-invoices.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const directory = useDirectory();
const portal = usePortal();
let scope: SupplierScope;
let call: Invoke;

beforeEach(async () => {
  const caller = await portal.newCaller();
  ({ scope } = caller.account);
  ({ call } = caller);
});

const now = new Date('2026-07-02T08:00:00.000Z');
const aRecord = (overrides: object = {}) => ({
  invoice_id: newId(),
  supplier_id: scope.supplierId,
  service_id: '5',
  invoice_date: '2026-06-10T10:00:00Z',
  system_amount: 100,
  ...overrides,
});

/** Imports records as the lines of a file; gives the counts and the rejected ones. */
async function importAll(records: readonly (object | string)[], tenant = scope.tenant) {
  const rejects: [line: number, faults: readonly string[]][] = [];
  const counts = await importLines(portal.engine, tenant, records, {
    now,
    reject: async ({ line }, faults) => void rejects.push([line, faults]),
  });
  return { ...counts, rejects };
}

const counted = (counts: object) => ({ ...createCounts(), ...counts });

function declare(invoiceId: string, amount: number, more: Partial<DeclarationRequest> = {}) {
  return declareAlone(portal.engine, scope, { invoiceId, amount, ...more }, { userId: '77', now });
}

describe('importing invoices', () => {
  it('creates them with every field, under its name, and the second time writes nothing', async () => {
    const concept = { concept_id: '1', description: 'Tow', unit_amount: 1.1, quantity: 2, tax_pct: 21, total: 2.662 };
    const fields = {
      ...{ invoice_id: '7', service_id: '5', service_number: 'S-1', account_name: 'Córdoba', city: 'Salta' },
      ...{ invoice_date: '2026-06-10T10:00:00Z', service_call_date: '2026-06-09', state_code: 'ENV' },
      ...{ system_amount: 1234.5678, attachment_url: 'https://x.example/a.pdf', attachment_filename: 'a.pdf' },
      concepts: [concept],
    };
    const record = { ...fields, supplier_id: scope.supplierId, state_name: 'ignored' };
    expect(await importAll([record])).toEqual({ ...counted({ created: 1, lastLine: 1 }), rejects: [] });
    const stored = await storedInvoices(portal.engine, scope);
    const { invoice_id: _, ...named } = fields;
    expect(stored.get('7')).toMatchObject({ ...named, sort_date: '2026-06-10T10:00:00.000Z', version: 1 });
    expect(await importAll([record])).toEqual({ ...counted({ unchanged: 1, lastLine: 1 }), rejects: [] });
    expect(await storedInvoices(portal.engine, scope)).toEqual(stored);
  });

  it('keeps the day counters right when others import the same invoices with other states at once', async () => {
    const records = Array.from({ length: 60 }, (_, index) =>
      aRecord({ invoice_id: `${1000 + index}`, invoice_date: `2026-0${1 + (index % 6)}-${10 + (index % 7)}` }),
    );
    const rivals = await Promise.all(
      ['PEN', 'REC', 'APR'].map((state_code) => importAll(records.map((record) => ({ ...record, state_code })))),
    );
    expect(rivals.map(({ rejected }) => rejected)).toEqual([0, 0, 0]);
    const counters = Object.values(await rightCounters(portal.engine, scope));
    expect(counters.reduce((sum, count) => sum + count, 0)).toBe(60);
  });

  it('leaves room for the largest declaration in every record that it takes, and rejects others alone', async () => {
    const line = { concept_id: '1', description: 'x'.repeat(1000), unit_amount: 1, quantity: 1, tax_pct: 0, total: 1 };
    const sized = (characters: number) => {
      const full = Array.from({ length: Math.floor(characters / 1000) }, () => line);
      return aRecord({ concepts: [...full, { ...line, description: 'x'.repeat(characters % 1000) }] });
    };
    let [taken, refused] = [364_000, 384_000];
    // The table would take the larger record, but not its declaration.
    expect(await importAll([aRecord(), sized(refused), sized(taken), aRecord()])).toEqual({
      ...counted({ created: 3, rejected: 1, lastLine: 4 }),
      rejects: [[2, [expect.stringMatching(/^record: is 4\d{5} bytes with .*; the maximum is 409600 bytes$/)]]],
    });
    while (refused - taken > 1) {
      const middle = Math.floor((taken + refused) / 2);
      if ((await importAll([sized(middle)])).created === 1) taken = middle;
      else refused = middle;
    }
    const largest = sized(taken);
    await importAll([largest]);
    await declare(largest.invoice_id, 999999999998.9999, {
      notes: '\u{1f600}'.repeat(2000),
      invoiceNumber: '\u{16d6a}'.repeat(60),
      invoiceDate: '2026-01-01T00:00:00.123456789+00:00',
      taxPct: 99.999999,
    });
    const stored = (await storedInvoices(portal.engine, scope)).get(largest.invoice_id);
    expect(stored).toMatchObject({ version: 2, provider_invoice_number: '\u{16d6a}'.repeat(60) });
  });
});

describe('a declaration', () => {
  it('that came by import follows later imports until the supplier declares here', async () => {
    const record = aRecord({ declared_amount: 110 });
    await importAll([record]);
    await importAll([{ ...record, declared_amount: 120 }]);
    await declare(record.invoice_id, 130);
    await importAll([record]);
    const history = await storedRevisions(portal.engine, scope, record.invoice_id);
    expect(history.map((revision) => [revision['declared_by'], revision['declared_amount']])).toEqual([
      ['import', 110],
      ['import', 120],
      ['77', 130],
    ]);
  });
});

it('an import names the first twenty of the states that it did not take over, in whatever batches they are', async () => {
  const records = Array.from({ length: 21 }, () => aRecord());
  await importAll(records);
  for (const { invoice_id: id } of records) await declare(id, 100);
  const moved = records.map((record) => ({ ...record, state_code: 'LIQ' }));
  // After 990 faulty records, the first batch has room for ten of them.
  const faulty = Array<string>(990).fill('{}');
  const { ignoredStates, firstIgnoredStates } = await importAll([...faulty, ...moved]);
  expect([ignoredStates, firstIgnoredStates.length]).toEqual([21, 20]);
});

/** Imports a file with this text into the tenant of the caller. */
async function importText(name: string, text: string, ...options: string[]) {
  writeFileSync(join(directory, name), text);
  const args = ['import-invoices', name, '--tenant', scope.tenant, ...options];
  const { code, stdout } = await runOps(portal.engine.endpoint, ...args);
  return { code, stdout };
}

const ndjson = (...records: object[]) =>
  records.map((record) => `${JSON.stringify({ supplier_id: scope.supplierId, ...record })}\n`).join('');

async function list(startdate: string, enddate: string) {
  const { status, body } = await call('list-invoices', { query: { startdate, enddate } });
  expect(status).toBe(200);
  return (body.data as { rows: { invoice_id: string }[] }).rows;
}

const idsOf = async (startdate: string, enddate: string) =>
  (await list(startdate, enddate)).map(({ invoice_id: id }) => id).toSorted();

describe('a day of Argentina', () => {
  const zonedDay = ['2026-08-31T00:00:00-03:00', '2026-08-31T23:59:59-03:00'] as const;
  const dates = ['2026-08-31', '2026-08-31T22:30:00', '2026-08-31T23:00:00Z', '2026-08-30', '2026-09-01'];
  const records = dates.map((invoice_date, index) => ({
    invoice_id: `${1 + index}`,
    invoice_date,
    service_id: '5',
    system_amount: 1,
  }));

  it('has its invoices by its bare date and by its zone, once a file without one is imported again with it', async () => {
    const text = ndjson(...records);
    await importText('zone.ndjson', text);
    expect(await idsOf(...zonedDay)).toEqual(['2', '3', '5']);
    const { stdout } = await importText('zone.ndjson', text, '--zone', '-03:00');
    expect(stdout).toContain('0 created, 4 changed, 1 unchanged');
    await rightCounters(portal.engine, scope);
    // Late in the evening, it is the next day in UTC.
    expect(await idsOf('2026-08-31', '2026-08-31')).toEqual(['1', '3']);
    expect(await idsOf(...zonedDay)).toEqual(['1', '2', '3']);
    expect((await importText('zone.ndjson', text, '--zone', '-03:00')).stdout).toContain('5 unchanged');
  });
});

describe('a state that an import does not take over', () => {
  it('because the supplier has declared, is counted and named, also in a dry run', async () => {
    const invoices = ['1', '2', '3'].map((id) => ({ invoice_id: id, service_id: '5', system_amount: 90 }));
    await importText('new.ndjson', ndjson(...invoices));
    for (const id of ['1', '2']) await call('declare-invoice', { body: { invoice_id: id, amount: 95 } });
    const states = ndjson(
      { invoice_id: '1', state_code: 'LIQ', city: 'Salta' },
      { invoice_id: '2', state_code: 'REC' },
      { invoice_id: '3', state_code: 'LIQ' },
    );
    const said =
      '2 states ignored, because the supplier has declared (1: LIQ, stays REV; 2: REC, stays REV). To change them, run decide.\n';
    const dryRun = await importText('states.ndjson', states, '--dry-run');
    expect(dryRun.stdout).toBe(`0 created, 2 changed, 1 unchanged, 0 rejected\n${said}Dry run: nothing was written.\n`);
    expect(await importText('states.ndjson', states)).toEqual({
      code: 0,
      stdout: `0 created, 2 changed, 1 unchanged, 0 rejected\n${said}`,
    });
    const stays = { supplier_id: scope.supplierId, stays: 'REV' };
    expect(JSON.parse((await importText('states.ndjson', states, '--json')).stdout)).toMatchObject({
      unchanged: 3,
      states_not_taken_over: {
        count: 2,
        first: [
          { ...stays, invoice_id: '1', state_code: 'LIQ' },
          { ...stays, invoice_id: '2', state_code: 'REC' },
        ],
      },
    });
  });
});
