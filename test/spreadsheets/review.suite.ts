import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { SupplierScope } from '../../lib/domain/invoice.ts';
import { decimal } from '../../lib/domain/money.ts';
import { declareInNewStore } from '../support/data/declare-one.ts';
import { newId, seedAccount } from '../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../support/data/seed-invoices.ts';
import { readStoredInvoices } from '../support/data/stored-invoices.ts';
import { runOps } from '../support/ops/run-ops.ts';
import { useEngine } from '../support/setup/use-engine.ts';
import { fillIn, saveWithLibreOffice } from './programs.ts';

const engine = useEngine();
const IDS = ['0080101', '900000', '17952430612962970001'];
let sheet: string;
let scope: SupplierScope;
const ops = (...args: string[]) => runOps(engine.endpoint, ...args);

/** Writes the workbook of three declared invoices with ids and texts that a spreadsheet program could change. */
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spreadsheets-'));
  sheet = join(folder, 'review.xlsx');
  ({ scope } = await seedAccount(engine, { tenant: { tenant: `t${newId()}.example` } }));
  const invoices = IDS.map((invoiceId) =>
    buildInvoice({
      ...{ invoiceId, invoiceDate: '2026-08-31T00:00:00-03:00', serviceNumber: '0012' },
      accountName: invoiceId === '900000' ? 'constructor' : '1/9/2026',
      systemAmount: decimal('123456789012.123456'),
    }),
  );
  await seedInvoices(engine, scope, invoices);
  for (const invoiceId of IDS) {
    const provider = { invoiceNumber: '0001-00001234', invoiceDate: '2026-08-31' };
    await declareInNewStore(engine, scope, {
      invoiceId,
      amount: 1050.5,
      notes: '=1+1 "ñ" \u0007 constructor',
      ...provider,
    });
  }
  await ops('list-invoices', scope.tenant, '--out', sheet);
});

it.each([
  ['openpyxl has saved', async (file: string) => file],
  ['openpyxl and then LibreOffice have saved', saveWithLibreOffice],
])('decide applies the workbook of list-invoices that %s', async (_, save) => {
  await fillIn(sheet, 'APR', 'Checked');
  const { code, stdout } = await ops('decide', await save(sheet), '--tenant', scope.tenant);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('3 decided, 0 unchanged, 0 without a decision, 0 rejected\n'),
  });
  const states = [...(await readStoredInvoices(engine, scope)).values()].map((item) => item['state_code']);
  expect(states).toEqual(['APR', 'APR', 'APR']);
});

it('import-invoices finds every invoice unchanged in the workbook that LibreOffice has saved', async () => {
  const before = await readStoredInvoices(engine, scope);
  const saved = await saveWithLibreOffice(sheet);
  const { stdout } = await ops('import-invoices', saved, '--tenant', scope.tenant, '--zone', '-03:00');
  expect(stdout).toContain('0 created, 0 changed, 3 unchanged, 0 rejected\n');
  expect(await readStoredInvoices(engine, scope)).toEqual(before);
});
