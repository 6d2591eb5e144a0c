import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { SupplierScope } from '../../lib/domain/invoice.ts';
import { decimal } from '../../lib/domain/money.ts';
import { declareAlone } from '../support/data/declare-one.ts';
import { newId, seedAccount } from '../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../support/data/seed-invoices.ts';
import { storedInvoices } from '../support/data/stored-invoices.ts';
import { runOps } from '../support/ops/run-ops.ts';
import { useEngine } from '../support/setup/use-engine.ts';
import { describeWorkbook, fillIn, saveWithLibreOffice } from './programs.ts';

const engine = useEngine();
const IDS = ['0080101', '900000', '17952430612962970001'];
let sheet: string;
let scope: SupplierScope;
const ops = (...args: string[]) => runOps(engine.endpoint, ...args);

/** The workbook of three declared invoices, of which the ids and texts are such as a spreadsheet changes. */
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spreadsheets-'));
  sheet = join(folder, 'review.xlsx');
  ({ scope } = await seedAccount(engine, { tenant: { tenant: `t${newId()}.example` } }));
  const invoices = IDS.map((invoiceId) =>
    anInvoice({
      ...{ invoiceId, invoiceDate: '2026-08-31T00:00:00-03:00', serviceNumber: '0012' },
      accountName: invoiceId === '900000' ? 'constructor' : '1/9/2026',
      systemAmount: decimal('123456789012.123456'),
    }),
  );
  await seedInvoices(engine, scope, invoices);
  for (const invoiceId of IDS) {
    const provider = { invoiceNumber: '0001-00001234', invoiceDate: '2026-08-31' };
    await declareAlone(engine, scope, { invoiceId, amount: 1050.5, notes: '=1+1 "ñ" \u0007 constructor', ...provider });
  }
  await ops('list-invoices', scope.tenant, '--out', sheet);
});

const asItIs = async (file: string) => file;

it.each([
  ['list-invoices has written', asItIs, 'C2'],
  // Without a window, LibreOffice saves no frozen panes, whichever program has written them.
  ['LibreOffice has saved', saveWithLibreOffice, null],
])('the workbook that %s has typed cells, a bold header, a drop-down and colours', async (_, save, frozen) => {
  const { cells, ...properties } = await describeWorkbook(await save(sheet));
  expect(properties).toEqual({
    frozen,
    isBold: true,
    choices: [['R2:R4', '"APR,REC,AJU,LIQ,PEN"']],
    coloured: ['decision', 'reason'],
  });
  expect(cells).toMatchObject({
    supplier_id: ['str', scope.supplierId, '@'],
    invoice_id: ['str', '0080101', '@'],
    invoice_date: ['datetime', '2026-08-31 00:00:00', 'yyyy-mm-dd'],
    service_number: ['str', '0012', '@'],
    account_name: ['str', '1/9/2026', '@'],
    system_amount: ['str', '123456789012.123456', '@'],
    declared_amount: ['float', '1050.5', '#,##0.00####'],
    declared_at: ['datetime', expect.any(String), 'yyyy-mm-dd hh:mm:ss'],
    provider_invoice_number: ['str', '0001-00001234', '@'],
    // The escape of a control character, which openpyxl does not read.
    declared_notes: ['str', '=1+1 "ñ" _x0007_ constructor', '@'],
    revision: ['int', '1', '0'],
    decision: ['NoneType', 'None', '@'],
    reason: ['NoneType', 'None', '@'],
  });
});

it.each([
  ['openpyxl has saved', asItIs],
  ['openpyxl and then LibreOffice have saved', saveWithLibreOffice],
])('decide applies the workbook of list-invoices that %s', async (_, save) => {
  await fillIn(sheet, 'APR', 'Checked');
  const { code, stdout } = await ops('decide', await save(sheet), '--tenant', scope.tenant);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('3 decided, 0 unchanged, 0 without a decision, 0 rejected\n'),
  });
  const states = [...(await storedInvoices(engine, scope)).values()].map((item) => item['state_code']);
  expect(states).toEqual(['APR', 'APR', 'APR']);
});

it('import-invoices finds every invoice unchanged in the workbook that LibreOffice has saved', async () => {
  const before = await storedInvoices(engine, scope);
  const saved = await saveWithLibreOffice(sheet);
  const { stdout } = await ops('import-invoices', saved, '--tenant', scope.tenant, '--zone', '-03:00');
  expect(stdout).toContain('0 created, 0 changed, 3 unchanged, 0 rejected\n');
  expect(await storedInvoices(engine, scope)).toEqual(before);
});
