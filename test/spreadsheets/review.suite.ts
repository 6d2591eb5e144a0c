import { mkdtemp, writeFile } from 'node:fs/promises';
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
import { fillIn, saveWithLibreOffice, saveWithOpenpyxl } from './programs.ts';

const engine = useEngine();
const IDS = ['1', '1050', '17952430612962970001'];
let folder: string;
let scope: SupplierScope;
const ops = (...args: string[]) => runOps(engine.endpoint, ...args);

/** Three declared invoices, of which the ids and texts are such as a spreadsheet changes. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spreadsheets-'));
  ({ scope } = await seedAccount(engine, { tenant: { tenant: `t${newId()}.example` } }));
  const invoices = IDS.map((invoiceId) =>
    anInvoice({ invoiceId, systemAmount: decimal(1000), serviceNumber: '0012', accountName: '1/9/2026' }),
  );
  await seedInvoices(engine, scope, invoices);
  for (const invoiceId of IDS) {
    const said = { notes: 'TRUE', invoiceNumber: '0001-00001234', invoiceDate: '2026-08-31' };
    await declareAlone(engine, scope, { invoiceId, amount: 1050.5, ...said });
  }
});

it.each([
  ['LibreOffice', saveWithLibreOffice],
  ['openpyxl', saveWithOpenpyxl],
])('decide applies the sheet of list-invoices --excel that %s saved as .xlsx', async (_, save) => {
  const sheet = join(folder, 'review.csv');
  await writeFile(sheet, (await ops('list-invoices', scope.tenant, '--excel')).stdout);
  await fillIn(sheet, 'APR', 'Checked');
  const { code, stdout } = await ops('decide', await save(sheet), '--tenant', scope.tenant);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('3 decided, 0 unchanged, 0 without a decision, 0 rejected\n'),
  });
  const states = [...(await storedInvoices(engine, scope)).values()].map((item) => item['state_code']);
  expect(states).toEqual(['APR', 'APR', 'APR']);
});
