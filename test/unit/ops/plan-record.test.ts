import { expect, it } from 'vitest';
import { ImportCounts } from '../../../infra/ops/import/import-counts.ts';
import { planRecord } from '../../../infra/ops/import/import-invoices.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { buildDeclaration, buildInvoice } from '../../support/data/seed-invoices.ts';

const record = { invoice_id: '80101', supplier_id: '10', service_id: '5', system_amount: '100' };
const scope = { tenant: 't.example', supplierId: '10' };
const current = { scope, invoice: null, zeroVariant: undefined };
const tolerance = selectTolerance(null, null);
const context = { requestId: 'r', tolerance };

/** Imports records that change the state to LIQ, the city and the system amount of invoices. Returns the counts. */
function countChanges(invoices: readonly Invoice[]): ImportCounts {
  const counts = new ImportCounts();
  for (const invoice of invoices) {
    const changed = { ...record, invoice_id: invoice.invoiceId, city: 'Salta', state_code: 'LIQ' } as const;
    const systemAmount = invoice.declaration ? '1000' : '1000.5';
    const { outcome } = planRecord({ ...changed, system_amount: systemAmount }, { ...current, invoice }, context);
    if ('outcome' in outcome) counts.add(outcome);
  }
  return counts;
}
const buildInvoices = (count: number, overrides: Partial<Invoice>) =>
  Array.from({ length: count }, (_, index) => buildInvoice({ invoiceId: `${index + 1}`, ...overrides }));

it('an import counts the amounts and states that it changes', () => {
  const counts = countChanges([
    ...buildInvoices(2, {}),
    ...buildInvoices(1, { state: 'ENV', systemAmount: decimal(1) }),
  ]);
  expect(counts.describe()).toEqual([
    '0 created, 3 changed, 0 unchanged, 0 rejected',
    '3 system amounts changed: 2001 → 3001.5 in total',
    'states changed: ENV → LIQ 1, PEN → LIQ 2',
  ]);
  expect(counts.toDocument()).toMatchObject({
    changed: 3,
    system_amounts_changed: { count: 3, before: 2001, after: 3001.5 },
    states_changed: { 'ENV → LIQ': 1, 'PEN → LIQ': 2 },
  });
});

it('an import leaves withdrawn invoices unchanged, ignores states of declared invoices, and names the first 20', () => {
  const first = Array.from({ length: 20 }, (_, index) => String(index + 1));
  const withdrawn = countChanges(buildInvoices(25, { isWithdrawn: true }));
  expect(withdrawn.describe()).toEqual([
    '0 created, 0 changed, 0 unchanged, 0 rejected',
    `25 records ignored, because the invoice is withdrawn (${first.join(', ')}, …). See list-withdrawn.`,
  ]);
  expect(withdrawn.toDocument()).toMatchObject({ withdrawn: 25, withdrawn_invoices: first });
  const declared = countChanges(buildInvoices(25, { state: 'REV', declaration: buildDeclaration() }));
  expect(declared.describe()).toEqual([
    '0 created, 25 changed, 0 unchanged, 0 rejected',
    expect.stringMatching(/^25 states ignored, .* \(1, 2, .*, 20, …\)\. .* run decide\.$/),
  ]);
  expect(declared.toDocument()).toMatchObject({ states_ignored: { count: 25, first } });
});
