import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seedAccount } from '../support/data/seed.ts';
import { readStoredInvoices } from '../support/data/stored-invoices.ts';
import { runOps } from '../support/ops/run-ops.ts';
import { useEngine } from '../support/setup/use-engine.ts';
import { saveWithLibreOffice, writeErpWorkbook } from './programs.ts';

const engine = useEngine();

it('import-invoices reads the workbook of an ERP after LibreOffice has stored the values of its formulas', async () => {
  const { scope } = await seedAccount(engine);
  const file = join(await mkdtemp(join(tmpdir(), 'spreadsheets-')), 'erp.xlsx');
  await writeErpWorkbook(file, scope.supplierId);
  const importFile = async (path: string) =>
    (await runOps(engine.endpoint, 'import-invoices', path, '--tenant', scope.tenant)).stdout;

  const unsaved = await importFile(file);
  expect(unsaved).toContain('sheet 2 of 2, the others are not read, headings in row 3, hidden rows: 1.');
  expect(unsaved).toContain('2 created, 0 changed, 0 unchanged, 2 rejected');
  expect(unsaved).toContain('system_amount: is a formula without a stored value');

  const saved = await importFile(await saveWithLibreOffice(file));
  expect(saved).toContain('1 created, 0 changed, 2 unchanged, 1 rejected');
  expect(saved).toContain('system_amount: is the result of an error in a formula');
  const amounts = [...(await readStoredInvoices(engine, scope)).values()].map((item) => item['system_amount']);
  expect(amounts).toEqual([1000, 7.5, 1050.25]);
});
