import { beforeEach, expect, it } from 'vitest';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { SINCE_YESTERDAY } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let company: OpsTenant;

// The supplier declares 900, and then 950 of which the company pays 930.50. It declares 500, which is approved without a change.
beforeEach(async () => {
  company = await createOpsTenant(engine);
  await company.importRecords([
    { invoice_id: '1', invoice_date: '2026-08-24' },
    { invoice_id: '2', invoice_date: '2026-08-25' },
    { invoice_id: '3', invoice_date: '2026-08-26', state_code: 'LIQ', approved_amount: 70, message: 'Advance' },
  ]);
  await company.declare('1', 900);
  await company.declare('1', 950);
  await company.declare('2', 500);
  await company.decide([
    { invoice_id: '1', revision: 2, decision: 'AJU', approved_amount: '930.50', message: 'No tolls' },
    { invoice_id: '2', revision: 1, decision: 'APR' },
  ]);
});

it('summary and list-invoices add up the approved amounts or, without them, the declared amounts', async () => {
  const { totals } = await company.runJson<{ totals: object }>('summary', '--month', '2026-08');
  expect(totals).toMatchObject({ declared_amount: 1450, payable_amount: 1500.5 });
  expect((await company.run('list-invoices', '--state', 'AJU')).stdout).toContain('to pay 930.5\n');
});

it('an export contains what the supplier sees of the latest declaration when the export runs', async () => {
  const { declarations } = await company.runJson<{ declarations: object[] }>('export-declarations', ...SINCE_YESTERDAY);
  expect(declarations).toMatchObject([
    { invoice_id: '1', revision: 1, approved_amount: null, message: null },
    { invoice_id: '1', revision: 2, approved_amount: 930.5, message: 'No tolls' },
    { invoice_id: '2', revision: 1, approved_amount: null, message: null },
  ]);
});

it('changes and history contain what the company told the supplier, also with a new invoice', async () => {
  // The engine returns the properties of a map in any order.
  const { stdout } = await company.run('history', '1');
  for (const change of ['message: - → No tolls', 'approved_amount: - → 930.5']) expect(stdout).toContain(change);
  const { changes } = await company.runJson<{ changes: object[] }>('changes', ...SINCE_YESTERDAY);
  expect(changes).toContainEqual(
    expect.objectContaining({
      ...{ invoice_id: '3', kind: 'notice' },
      fields: expect.arrayContaining([
        { field: 'message', before: null, after: 'Advance' },
        { field: 'approved_amount', before: null, after: 70 },
      ]),
    }),
  );
});
