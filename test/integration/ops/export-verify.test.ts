import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { saveTables } from '../../support/data/saved-tables.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let cursorFile: string;
let company: OpsTenant;

const DAY_MS = 86_400_000;
/** Returns noon of a day before today. */
const daysAgo = (days: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - (days - 0.5) * DAY_MS);
const formatDay = (date: Date) => date.toISOString().slice(0, 10);

// The supplier 10 has declared the invoices 1 and 2 three days ago, and the invoice 3 two days ago.
beforeEach(async () => {
  cursorFile = join(await mkdtemp(join(tmpdir(), 'verify-')), 'demo.cursor');
  company = await createOpsTenant(engine);
  await seedInvoices(
    engine,
    company.scope,
    ['1', '2', '3', '4'].map((invoiceId) => buildInvoice({ invoiceId })),
  );
  await company.declare('1', 900, { now: daysAgo(3) });
  await company.declare('2', 900, { now: daysAgo(3) });
  await company.declare('3', 900, { now: daysAgo(2) });
});

const runExport = (...args: string[]) => company.run('export-declarations', '--cursor-file', cursorFile, ...args);
/** Exports, and returns the declarations, such as `1#2`. */
async function exportRevisions(): Promise<string[]> {
  const { stdout } = await runExport('--csv', '--from-start');
  return Array.from(stdout.matchAll(/^10,(\d+),\d+,(\d+),/gm), ([, id, revision]) => `${id}#${revision}`).toSorted();
}

it('--verify exports nothing, and ends with 0 if the exported and the stored declarations agree', async () => {
  await exportRevisions();
  await company.declare('4', 900);
  const before = await readFile(cursorFile, 'utf8');
  const { code, stdout } = await runExport('--verify', '5');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d days compared, 0 differ\.\n$/)]);
  expect(await readFile(cursorFile, 'utf8')).toBe(before);
  expect(await exportRevisions()).toEqual(['4#1']);
});

it('--verify names the days on which declarations were not exported or are not stored any more, and ends with 1', async () => {
  await exportRevisions();
  await company.declare('4', 900);
  await exportRevisions();
  // The export finds this declaration only more than an hour after its time.
  await company.declare('1', 901, { now: new Date(daysAgo(2).getTime() + 1) });
  // An erasure of the invoice 2 also deletes this item.
  const Key = { pk: `${company.tenant}#10#2`, sk: 2 };
  await engine.client.send(new DeleteCommand({ TableName: engine.tables.Declarations, Key }));
  const [lost, erased] = [formatDay(daysAgo(2)), formatDay(daysAgo(3))];
  const { code, stdout } = await runExport('--verify', '5');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    new RegExp(
      `^day +exported +stored\n${erased} +2 +1 *\n${lost} +1 +2 *\n\\d days compared, 2 differ\\. More stored:`,
    ),
  );
  const document = JSON.parse((await runExport('--verify', '5', '--json')).stdout) as object;
  const days = expect.arrayContaining([{ day: lost, exported: 1, stored: 2 }]);
  expect(document).toMatchObject({ differing: 2, days });
  // The days before are not compared.
  expect((await runExport('--verify', '1')).code).toBe(0);
});

it('after a restore to an earlier second, the next export contains exactly the declarations made since', async () => {
  expect(await exportRevisions()).toEqual(['1#1', '2#1', '3#1']);
  const restoreTables = await saveTables(engine);
  for (const id of ['1', '2', '3', '4']) await company.declare(id, 910);
  expect(await exportRevisions()).toEqual(['1#2', '2#2', '3#2', '4#1']);
  await restoreTables();
  for (const id of ['1', '2', '3']) await company.declare(id, 920);
  expect(await exportRevisions()).toEqual(['1#2', '2#2', '3#2']);
  expect(await exportRevisions()).toEqual([]);
});
