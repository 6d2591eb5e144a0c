import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, expect, it } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { readFirstSheet } from '../../support/data/read-workbook.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices, readStoredStateChanges } from '../../support/data/stored-invoices.ts';
import { type WorkbookCell, buildWorkbook } from '../../support/data/workbook.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let folder: string;
let scope: SupplierScope;

const LONG_ID = '17952430612962970001';

// Four invoices of 1000, the third with a long id. The first has no declaration, the others are declared at 1050.5.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decide-'));
  ({ scope } = await seedAccount(engine, { tenant: { tenant: `t${newId()}.example` } }));
  const ids = ['1', '2', LONG_ID, '4'];
  const invoices = ids.map((invoiceId) => buildInvoice({ invoiceId, systemAmount: decimal(1000) }));
  await seedInvoices(engine, scope, invoices);
  for (const id of ids.slice(1)) await declare(id, 1050.5);
});

async function declare(invoiceId: string, amount: number) {
  const newDeclarationId = () => `9${invoiceId.slice(0, 15)}`;
  await declareInNewStore(engine, scope, { invoiceId, amount, notes: '=Peaje; "doble"' }, { newDeclarationId });
}

const runCommand = (...args: string[]) => runOps(engine.endpoint, ...args);
const buildPath = (name: string) => join(folder, name);
const runDecide = (name: string, ...args: string[]) =>
  runCommand('decide', buildPath(name), '--tenant', scope.tenant, ...args);
const readStates = async () =>
  Object.fromEntries([...(await readStoredInvoices(engine, scope))].map(([id, item]) => [id, item['state_code']]));
const readChanges = (id: string) => readStoredStateChanges(engine, scope, id);

/** Returns the CSV of all invoices with a decision and a reason in each line, as Excel saves it. */
async function buildReviewedCsv(decisions: Readonly<Record<string, string>>) {
  const file = join(await mkdtemp(join(tmpdir(), 'list-')), 'invoices.csv');
  await runCommand('list-invoices', scope.tenant, '--out', file);
  const toCell = (text: string) => {
    const shown = text.replace(/^(-?\d+)\.(\d+)$/, '$1,$2');
    return /[",;]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  const lines = parse(await readFile(file, 'utf8')).map(([supplier = '', id = '', ...cells]) => {
    const row = [supplier, id, ...cells].map(toCell);
    return decisions[id] === undefined ? row : [...row.slice(0, -2), decisions[id]];
  });
  return lines.map((row) => `${row.join(';')}\r\n`).join('');
}

it('decide applies the decisions of a CSV saved by Excel once, and rejects those on unseen declarations', async () => {
  const decisions = { 1: 'LIQ;', 2: 'APR;Checked', [LONG_ID]: 'rec ;', 4: 'LIQ;"Paid; 3, 4"' };
  await writeFile(buildPath('review.csv'), await buildReviewedCsv(decisions));
  await declare('1', 990);
  const { code, stdout } = await runDecide('review.csv', '--reason', 'Agreed', '--by', 'carol');
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('3 decided, 0 unchanged, 0 without a decision, 1 rejected'),
  ]);
  expect(await readStates()).toEqual({ 1: 'REV', 2: 'APR', [LONG_ID]: 'REC', 4: 'LIQ' });
  const author = { changed_by: `${userInfo().username} (carol)`, changed_at: expect.any(String) };
  const change = { from_state: 'REV', to_state: 'REC', reason: 'Agreed', ...author };
  expect(await readChanges(LONG_ID)).toMatchObject([change]);

  const rejects = await readFirstSheet(await readFile(buildPath('review.csv.rejected.xlsx')));
  const [header = [], row = [], ...end] = rejects.rows;
  expect(header.slice(-3)).toEqual(['decision', 'reason', 'rejected']);
  expect(row.at(-1)).toBe('line 2: revision: the supplier has declared 990 since (revision 0 → 1)');
  expect(end).toEqual([]);
  const again = await runDecide('review.csv', '--reason', 'Agreed', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ decided: 0, unchanged: 3, rejected: 1 });
  expect(await readChanges('4')).toHaveLength(1);
  // A reviewer exports a new sheet with the new declaration, and decides again. The file of rejected rows is removed.
  await writeFile(buildPath('review.csv'), await buildReviewedCsv({ 1: 'LIQ;' }));
  expect((await runDecide('review.csv', '--reason', 'Paid')).stdout).toContain('1 decided, 0 unchanged, 3 without');
  expect(await readdir(folder)).toEqual(['review.csv']);
});

it('decide applies the decisions of a workbook with ignored columns of any type', async () => {
  const toNumberCell = (digits: string) => ({ number: digits });
  const date: WorkbookCell = { number: '46265', format: 'date' };
  const shown = ['invoice_date', 'declared_at', 'provider_invoice_date', 'declared_notes', 'Notas'];
  const names = 'supplier_id invoice_id revision declared_amount decision reason declaration_id';
  const columns = names.split(' ');
  const cells = [scope.supplierId, '2', toNumberCell('1'), toNumberCell('1050.5'), 'REC', 'Peaje'];
  const sheet = buildWorkbook({
    Review: [
      [...columns, ...shown],
      [...cells, null, date, date, date, true, date],
      [...cells.with(1, '4'), date, date],
    ],
  });
  await writeFile(buildPath('review.xlsx'), sheet);
  expect((await runDecide('review.xlsx')).stdout).toContain('1 decided, 0 unchanged, 0 without a decision, 1 rejected');
  const rejects = await readFirstSheet(await readFile(buildPath('review.xlsx.rejected.xlsx')));
  const [header = [], rejected = []] = rejects.rows;
  expect(Object.fromEntries(header.map((name, index) => [name, rejected[index]]))).toMatchObject({
    ...{ supplier_id: scope.supplierId, invoice_id: '4', invoice_date: { date: '2026-08-31' }, decision: 'REC' },
    rejected: 'line 3: declaration_id: is a date in the workbook: write it as text',
  });
});
