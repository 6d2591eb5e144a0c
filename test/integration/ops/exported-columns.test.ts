import { expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { declareAlone } from '../../support/data/declare-one.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();

it('every column of export-declarations --csv has the value of the property with its name in --json', async () => {
  const scope = { tenant: `t${newId()}.example`, supplierId: '10' };
  await seedInvoices(engine, scope, [anInvoice({ invoiceId: '1', systemAmount: decimal(1000) })]);
  // Every property has a value of its own.
  const declaration = { amount: 1020, taxPct: 10.5, notes: 'Peaje', invoiceNumber: 'A-7', invoiceDate: '2026-07-31' };
  await declareAlone(
    engine,
    scope,
    { invoiceId: '1', ...declaration },
    {
      tolerance: { mode: 'AMB', pct: decimal('2.5'), abs: decimal('30'), autoApprove: true, source: 'global' },
      ...{ userId: '7', requestId: 'request-1', newDeclarationId: () => '9001' },
    },
  );
  const exported = (format: string) => runOps(engine.endpoint, 'export-declarations', scope.tenant, format);
  const [declared] = JSON.parse((await exported('--json')).stdout).declarations;
  const { tolerance, ...row } = declared;
  const { mode: tolerance_mode, source: tolerance_source, ...limits } = tolerance;
  const expected = Object.entries({ ...row, ...limits, tolerance_mode, tolerance_source });
  const [header = '', line = ''] = (await exported('--csv')).stdout.split('\n');
  const cells = line.split(',');
  const columns = header.split(',').map((name, index) => [name, cells[index]]);
  expect(Object.fromEntries(columns)).toEqual(
    Object.fromEntries(expected.map(([name, value]) => [name, String(value)])),
  );
});
