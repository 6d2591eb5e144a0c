import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { readFirstSheet } from '../../support/data/read-workbook.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { parsePrintedRows, runOps } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { useStarted } from '../../support/setup/use-started.ts';

const engine = useEngine();
const proxy = useStarted(() => startEngineProxy(engine));
let tenant: string;
let ana: SupplierScope;
let bruno: SupplierScope;

const LONG_ID = '17952430612962970001';

const buildNumberedInvoice = (
  invoiceId: string,
  invoiceDate: string,
  number: string | null,
  overrides: Partial<Invoice> = {},
) => buildInvoice({ invoiceId, invoiceDate, providerInvoice: { number, date: null }, ...overrides });

// Three listed invoices of ana and a withdrawn one have the number A-0001. Two invoices of bruno have the number B-1.
beforeEach(async () => {
  tenant = `t${newId()}.example`;
  ana = (await seedAccount(engine, { tenant: { tenant }, supplier: { supplier_id: '10' } })).scope;
  bruno = (await seedAccount(engine, { tenant: { tenant }, supplier: { supplier_id: '20' } })).scope;
  await seedInvoices(engine, ana, [
    buildNumberedInvoice('1', '2026-08-01', 'A-0001'),
    buildNumberedInvoice('2', '2025-03-01', ' a–0001', { state: 'LIQ' }),
    buildNumberedInvoice('3', '2026-09-01', 'Á-0001 '),
    buildNumberedInvoice('4', '2026-08-02', 'A-0001', { isWithdrawn: true }),
    buildNumberedInvoice('5', '2026-08-03', 'A-0002'),
    buildNumberedInvoice('6', '2026-08-04', null),
    buildNumberedInvoice('7', '2026-08-05', null),
  ]);
  await seedInvoices(engine, bruno, [
    buildNumberedInvoice('1', '2026-08-01', 'A-0001'),
    buildNumberedInvoice('8', '2026-08-02', 'B-1'),
    buildNumberedInvoice(LONG_ID, '2026-08-03', 'B-1'),
  ]);
});

const runCommand = (command: string, ...args: string[]) => runOps(proxy.engine.endpoint, command, ...args);
const buildPath = async (name: string) => join(await mkdtemp(join(tmpdir(), 'same-number-')), name);

/** Returns the `same_number` of each invoice of a list, by supplier and invoice. */
async function listSameNumbers(command: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await runCommand(command, tenant, ...args, '--json');
  const { invoices } = JSON.parse(stdout) as { invoices: Record<string, string>[] };
  return Object.fromEntries(
    invoices.map(({ supplier_id: supplier, invoice_id: id, same_number: ids }) => [`${supplier}/${id}`, ids]),
  );
}

it('same_number contains the other listed invoices of the supplier with the same folded number, of any date and state', async () => {
  expect(await listSameNumbers('list-invoices', '--from', '2026-08-01')).toEqual({
    '10/1': ['2', '3'],
    '10/3': ['2', '1'],
    '10/5': [],
    '10/6': [],
    '10/7': [],
    '20/1': [],
    '20/8': [LONG_ID],
    [`20/${LONG_ID}`]: ['8'],
  });
  expect(await listSameNumbers('list-withdrawn')).toEqual({ '10/4': ['2', '1', '3'] });
});

it('same_number contains at most 20 ids, and repeated_numbers contains all', async () => {
  const ids = Array.from({ length: 22 }, (_, index) => `${100 + index}`);
  const invoices = ids.map((id) => buildNumberedInvoice(id, '2026-07-01', 'S/N'));
  await seedInvoices(engine, bruno, invoices);
  const sameNumbers = await listSameNumbers('list-invoices', '--from', '2026-07-01', '--to', '2026-07-01');
  expect(sameNumbers['20/100']).toEqual(ids.slice(1, 21));
  expect(sameNumbers['20/121']).toEqual(ids.slice(0, 20));
  const summary = await runCommand('summary', tenant, '--month', '2026-07', '--repeated-numbers', '--json');
  expect(JSON.parse(summary.stdout).repeated_numbers).toMatchObject([{ invoice_ids: ids }]);
});

it('a workbook contains same_number as a text, so that no digit of an id is lost', async () => {
  const file = await buildPath('review.xlsx');
  await runCommand('list-invoices', tenant, '--out', file);
  const { rows } = await readFirstSheet(await readFile(file));
  const [headings = [], ...cells] = rows;
  const column = headings.indexOf('same_number');
  expect(headings.slice(-2)).toEqual(['decision', 'reason']);
  expect(cells.map((row) => row[column] ?? '')).toEqual(['1 3', '2 3', '', '', '', '2 1', '', LONG_ID, '8']);
});

it('decide and import-invoices ignore same_number', async () => {
  const file = await buildPath('review.csv');
  const listFile = () => runCommand('list-invoices', tenant, '--supplier', '10', '--out', file, '--overwrite');
  await listFile();
  const sheet = await readFile(file, 'utf8');
  expect(sheet).toMatch(/^10,1,.*,2 3,,,,,,$/m);
  await writeFile(file, sheet.replaceAll(/(?<=^10,[13],.*),,$/gm, ',APR,Seen'));
  const decided = await runCommand('decide', file, '--tenant', tenant);
  expect([decided.code, decided.stdout]).toEqual([0, expect.stringContaining('2 decided, 0 unchanged, 4 without')]);
  await listFile();
  const stored = await readStoredInvoices(engine, ana);
  const imported = await runCommand('import-invoices', file, '--tenant', tenant);
  const counts = '0 created, 0 changed, 6 unchanged, 0 rejected';
  expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining(counts)]);
  expect(await readStoredInvoices(engine, ana)).toEqual(stored);
});

it('summary --repeated-numbers prints each number that an invoice of the month shares with others once', async () => {
  const { code, stdout } = await runCommand('summary', tenant, '--month', '2026-08', '--repeated-numbers');
  const rows = parsePrintedRows(stdout);
  const header = ['supplier', 'own number', 'invoices'];
  const start = rows.findIndex((row) => row.join() === header.join());
  expect([code, rows[start - 1]]).toEqual([0, ['']]);
  expect(rows.slice(start, -3)).toEqual([header, ['10', 'A-0001', '2, 1, 3'], ['20', 'B-1', `8, ${LONG_ID}`], ['']]);
  const runSummary = async (...args: string[]) =>
    JSON.parse((await runCommand('summary', tenant, '--json', ...args)).stdout).repeated_numbers;
  expect(await runSummary('--month', '2025-03', '--repeated-numbers')).toEqual([
    { supplier_id: '10', provider_invoice_number: ' a–0001', invoice_ids: ['2', '1', '3'] },
  ]);
  expect(await runSummary('--month', '2025-04', '--repeated-numbers')).toEqual([]);
  expect(await runSummary('--month', '2025-03')).toBeUndefined();
});

it.each([
  // One query of each supplier for the invoices, and for the summary one more for the withdrawn invoices.
  ['list-invoices', 2],
  ['list-withdrawn', 2],
  ['summary --month 2026-08', 4],
  ['list-invoices --json', 4],
  ['summary --month 2026-08 --repeated-numbers', 6],
])('%s compares the numbers of all invoices only if its output contains the result', async (line, count) => {
  const [command = '', ...args] = line.split(' ');
  proxy.reset();
  await runCommand(command, tenant, ...args);
  const queries = proxy.calls.filter(({ operation, tables }) => operation === 'Query' && tables.includes('Invoices'));
  expect(queries).toHaveLength(count);
});
