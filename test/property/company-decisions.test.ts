import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declareAmount, type DeclarationContext, outcomeOn } from '../../lib/domain/declaration.ts';
import { movedTo } from '../../lib/domain/invoice-state-change.ts';
import { decimal } from '../../lib/domain/money.ts';
import { compare, type Tolerance } from '../../lib/domain/tolerance.ts';
import { fromInvoice, toInvoice } from '../../lib/storage/items/invoice-items.ts';
import { anInvoice } from '../support/data/seed-invoices.ts';

const tolerance: Tolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true, source: 'proveedor' };
const context: DeclarationContext = {
  tolerance,
  userId: '77',
  requestId: 'request-1',
  now: new Date('2026-07-02T08:00:00.000Z'),
  newDeclarationId: () => '9001',
};
const NEAR = [1000, 1050];
const FAR = [1050.01, 1];

const steps = fc.oneof(
  fc.record({ declare: fc.constantFrom(...NEAR, ...FAR), notes: fc.constantFrom(undefined, '', 'Peaje') }),
  fc.record({ validate: fc.constantFrom(...NEAR, ...FAR) }),
  fc.record({ company: fc.constantFrom('REC', 'AJU', 'PEN', 'APR', 'ENV') }),
);

describe("a company's decision", () => {
  it('stands whatever the supplier declares, until the company moves the invoice itself', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 20 }), fc.boolean(), (sequence, isStored) => {
        let invoice = anInvoice({ systemAmount: decimal(1000) });
        let stands = false;
        for (const step of sequence) {
          // Each request reads what the one before has stored.
          const before = isStored ? toInvoice(fromInvoice({ tenant: 't', supplierId: '1' }, invoice)) : invoice;
          if ('company' in step) {
            invoice = movedTo(before, step.company);
            stands = step.company === 'REC' || step.company === 'AJU';
            continue;
          }
          const isApproved = 'declare' in step ? NEAR.includes(step.declare) : NEAR.includes(step.validate);
          const action = isApproved && !stands ? 'AUTO_APPROVE' : 'REVIEW';
          const amount = decimal('declare' in step ? step.declare : step.validate);
          const expected = { ...compare(amount, decimal(1000), tolerance), action };
          expect(outcomeOn(before, amount, tolerance)).toEqual(expected);
          if ('validate' in step) continue;

          const request = { invoiceId: before.invoiceId, amount: step.declare, notes: step.notes };
          const declared = declareAmount(before, request, context);
          expect(declared.outcome).toEqual(expected);
          expect(declared.invoice.state).toBe(action === 'REVIEW' ? 'REV' : 'APR');
          if (declared.revision) {
            expect(declared.revision).toMatchObject({ outcome: expected, heldForReview: stands });
            expect(declared.invoice.version).toBe(before.version + 1);
          } else expect(declared.invoice).toBe(before);
          expect(declareAmount(declared.invoice, request, context).revision).toBeNull();
          ({ invoice } = declared);
        }
      }),
      { numRuns: 300 },
    );
  });
});
