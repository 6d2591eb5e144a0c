import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeclarationRevision } from '../../lib/domain/declaration.ts';
import { decimal } from '../../lib/domain/money.ts';
import { evaluateTolerance, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../lib/domain/tolerance.ts';
import { fromRevision, type RevisionItem, toRevision } from '../../lib/tables/history-items.ts';

const scope = { tenant: 't.example', supplierId: '10' };

const amount = fc
  .tuple(fc.integer({ min: 0, max: 999_999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, millionths]) => decimal(`${whole}.${millionths.toString().padStart(6, '0')}`));
const text = fc.option(fc.string());

const revisions = fc
  .record({
    declarationId: fc.string(),
    revision: fc.integer({ min: 1 }),
    amount,
    notes: text,
    taxPct: fc.option(amount),
    providerInvoice: fc.record({ number: text, date: text }),
    invoiceId: fc.constantFrom('1', '99999999999999999999'),
    systemAmount: fc.oneof(amount, fc.constant(decimal(0))),
    tolerance: fc.record({
      mode: fc.option(fc.constantFrom(...TOLERANCE_MODES)),
      pct: fc.option(fc.oneof(amount, fc.constant(decimal(0)))),
      abs: fc.option(amount),
      autoApprove: fc.boolean(),
      source: fc.constantFrom(...TOLERANCE_SOURCES),
    }),
    requiresManualReview: fc.boolean(),
    declaredBy: fc.string(),
    declaredAt: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    requestId: fc.string({ minLength: 1 }),
  })
  .map((declared): DeclarationRevision => ({
    ...declared,
    outcome: evaluateTolerance(declared.amount, declared.systemAmount, declared.tolerance),
  }));

it('a declaration is read from its history as it was written, with all digits', () => {
  fc.assert(
    fc.property(revisions, (revision) => {
      const item = marshall(fromRevision(scope, revision, { shard: 1, number: 2 }));
      const stored = unmarshall(item, { wrapNumbers: true });
      expect(toRevision(revision.invoiceId, stored as RevisionItem)).toEqual(revision);
    }),
  );
});
