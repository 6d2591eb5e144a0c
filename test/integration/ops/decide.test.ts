import { EventEmitter } from 'node:events';
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
import { runCli, runOps } from '../../support/ops/run-ops.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
let folder: string;
let scope: SupplierScope;

const LONG_ID = '17952430612962970001';

// Four invoices of 1000, the third with a long id. The first has no declaration, the others are declared at 1050.5.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decide-'));
  ({ scope } = await seedAccount(portal.engine, { tenant: { tenant: `t${newId()}.example` } }));
  const ids = ['1', '2', LONG_ID, '4'];
  const invoices = ids.map((invoiceId) => buildInvoice({ invoiceId, systemAmount: decimal(1000) }));
  await seedInvoices(portal.engine, scope, invoices);
  for (const id of ids.slice(1)) await declare(id, 1050.5);
});

async function declare(invoiceId: string, amount: number) {
  const newDeclarationId = () => `9${invoiceId.slice(0, 15)}`;
  await declareInNewStore(portal.engine, scope, { invoiceId, amount, notes: '=Peaje; "doble"' }, { newDeclarationId });
}

const runCommand = (...args: string[]) => runOps(portal.engine.endpoint, ...args);
const buildPath = (name: string) => join(folder, name);
const runDecide = (name: string, ...args: string[]) =>
  runCommand('decide', buildPath(name), '--tenant', scope.tenant, ...args);
const readStates = async () =>
  Object.fromEntries(
    [...(await readStoredInvoices(portal.engine, scope))].map(([id, item]) => [id, item['state_code']]),
  );
const readChanges = (id: string) => readStoredStateChanges(portal.engine, scope, id);

/** Returns the CSV of all invoices with a decision and a reason in each line, as Excel saves it. */
async function buildReviewedCsv(decisions: Readonly<Record<string, string>>) {
  const { stdout } = await runCommand('list-invoices', scope.tenant, '--csv');
  const toCell = (text: string) => {
    const shown = text.replace(/^(-?\d+)\.(\d+)$/, '$1,$2');
    return /[",;]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  const lines = parse(stdout).map(([supplier = '', id = '', ...cells]) => {
    const row = [supplier, id, ...cells].map(toCell);
    return decisions[id] === undefined ? row : [...row.slice(0, -2), decisions[id]];
  });
  return lines.map((row) => `${row.join(';')}\r\n`).join('');
}

it('decide applies the decisions of a CSV saved by Excel once, and records author, time and reason', async () => {
  const decisions = { 2: 'APR;Checked', [LONG_ID]: 'rec ;', 4: 'LIQ;"Paid; 3, 4"' };
  await writeFile(buildPath('review.csv'), await buildReviewedCsv(decisions));
  const { code, stdout } = await runDecide('review.csv', '--reason', 'Agreed', '--by', 'carol');
  expect(code).toBe(0);
  expect(stdout).toContain('3 decided, 0 unchanged, 1 without a decision, 0 rejected\n');
  expect(await readStates()).toEqual({ 1: 'PEN', 2: 'APR', [LONG_ID]: 'REC', 4: 'LIQ' });
  const author = { changed_by: `${userInfo().username} (carol)`, changed_at: expect.any(String) };
  const change = { from_state: 'REV', to_state: 'REC', reason: 'Agreed', ...author };
  expect(await readChanges(LONG_ID)).toMatchObject([change]);

  const again = await runDecide('review.csv', '--reason', 'Agreed', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ decided: 0, unchanged: 3, undecided: 1, rejected: 0 });
  expect(await readChanges('4')).toHaveLength(1);
  expect(await readdir(folder)).toEqual(['review.csv']);
});

it('decide applies the decisions of a workbook with ignored columns of any type, and of NDJSON', async () => {
  const toNumberCell = (digits: string) => ({ number: digits });
  const date: WorkbookCell = { number: '46265', format: 'date' };
  const shown = ['invoice_date', 'declared_at', 'provider_invoice_date', 'declared_notes', 'Notas'];
  const names = 'supplier_id invoice_id revision declared_amount decision reason declaration_id';
  const columns = names.split(' ');
  const cells = [scope.supplierId, '2', toNumberCell('1'), toNumberCell('1050.5'), 'AJU', 'Peaje'];
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
    ...{ supplier_id: scope.supplierId, invoice_id: '4', invoice_date: { date: '2026-08-31' }, decision: 'AJU' },
    rejected: 'line 3: declaration_id: is a date in the workbook: write it as text',
  });
  const listed = JSON.parse((await runCommand('list-invoices', scope.tenant, '--json')).stdout).invoices;
  const lines = listed.map((row: object) => JSON.stringify({ ...row, decision: 'APR', reason: 'All' }));
  await writeFile(buildPath('review.ndjson'), lines.join('\n'));
  expect((await runDecide('review.ndjson')).stdout).toContain('4 decided, 0 unchanged');
  expect(Object.values(await readStates())).toEqual(['APR', 'APR', 'APR', 'APR']);
});

it('decide rejects a decision on a declaration that its author has not seen, and applies the others', async () => {
  await writeFile(buildPath('review.csv'), await buildReviewedCsv({ 1: 'LIQ;', 2: 'LIQ;', 4: 'LIQ;' }));
  await declare('1', 990);
  await declare('2', 1020);
  const { code, stdout } = await runDecide('review.csv', '--reason', 'Paid');
  expect(code).toBe(1);
  expect(stdout).toContain('1 decided, 0 unchanged, 1 without a decision, 2 rejected');
  expect(await readStates()).toEqual({ 1: 'REV', 2: 'REV', [LONG_ID]: 'REV', 4: 'LIQ' });
  expect([...(await readChanges('1')), ...(await readChanges('2'))]).toEqual([]);

  const rejects = await readFile(buildPath('review.csv.rejected.csv'), 'utf8');
  const [header, one, two, ...end] = rejects.split('\r\n');
  expect(header).toMatch(/^\ufeffsupplier_id;invoice_id;.*;decision;reason;rejected$/u);
  expect(one).toMatch(/;1;.*;LIQ;;line 2: revision: the supplier has declared 990 since \(revision 0 → 1\)$/);
  expect(two).toMatch(/;2;.*;1000;1050,5;.*;LIQ;;line 3: revision: .* declared 1020 since \(revision 1 → 2\)$/);
  expect(end).toEqual(['']);
  // A reviewer exports a new sheet with the new declarations, and decides again.
  await writeFile(buildPath('again.csv'), await buildReviewedCsv({ 1: 'LIQ;', 2: 'LIQ;' }));
  expect((await runDecide('again.csv', '--reason', 'Paid')).stdout).toContain('2 decided, 0 unchanged');
});

it.each([
  [
    'decide ends with 3 and prints the error if a write fails',
    () => void portal.proxy.injectFault({ operation: 'TransactWriteItems', how: 'error' }),
    { code: 3, stdout: '', stderr: /InternalServerError/ },
  ],
  [
    'decide ends with 130 if it is interrupted before it writes',
    (host: EventEmitter) => {
      portal.proxy.onCall = (operation, input) => {
        const isDirectoryCall = JSON.stringify(input).includes(portal.engine.tables.Directory);
        if (operation === 'BatchGetItem' && isDirectoryCall) host.emit('SIGINT');
      };
    },
    { code: 130, stdout: 'Interrupted. To continue, run the command again.\n', stderr: /^$/ },
  ],
])('%s, prints its counts, and decides nothing', async (_, disturb, expected) => {
  const host = new EventEmitter();
  disturb(host);
  const row = { supplier_id: scope.supplierId, invoice_id: '1', revision: 0, decision: 'APR', reason: 'Seen' };
  const result = await runCli(
    ['decide', '-', '--tenant', scope.tenant, '--rejects', buildPath('rejects.csv'), '--local'],
    {
      env: { AWS_ENDPOINT_URL_DYNAMODB: portal.proxy.engine.endpoint },
      input: JSON.stringify(row),
      host,
    },
  );
  const stdout = `0 decided, 0 unchanged, 0 without a decision, 0 rejected\n${expected.stdout}`;
  expect(result).toEqual({ code: expected.code, stdout, stderr: expect.stringMatching(expected.stderr) });
  expect((await readStates())[1]).toBe('PEN');
});
