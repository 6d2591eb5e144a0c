import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { Tolerance, ToleranceOutcome } from '../../domain/tolerance.ts';
import type { Key } from '../dynamodb/key.ts';
import { declaredFields, providerInvoiceFields } from './invoice-row-items.ts';
import { declarationPartition } from './keys.ts';
import { type Attributes, DECIMAL, storedFields } from './stored-fields.ts';

const revisionFields = storedFields<
  Pick<DeclarationRevision, 'systemAmount' | 'declaredBy' | 'declaredAt' | 'requestId'>
>({
  systemAmount: ['system_amount', DECIMAL],
  declaredBy: 'declared_by',
  declaredAt: 'declared_at',
  requestId: 'request_id',
});

const outcomeFields = storedFields<Omit<ToleranceOutcome, 'differenceAbs' | 'source'>>({
  withinTolerance: 'within_tolerance',
  difference: ['difference', DECIMAL],
  differencePct: ['difference_pct', DECIMAL],
  action: 'action',
});

const toleranceFields = storedFields<Tolerance>({
  mode: 'mode',
  pct: ['tolerance_pct', DECIMAL],
  abs: ['tolerance_abs', DECIMAL],
  autoApprove: 'auto_approve',
  source: 'source',
});

/** An entry of an invoice's declaration history as it is stored, without its key. */
export interface RevisionItem extends Attributes {
  readonly outcome: Attributes;
  readonly tolerance: Attributes;
  readonly held_for_review?: true;
}

/** The stored form of a declaration, with its key. */
export function fromRevision(scope: SupplierScope, revision: DeclarationRevision): RevisionItem & Key<number> {
  return {
    pk: declarationPartition(scope, revision.invoiceId),
    sk: revision.revision,
    ...declaredFields.write(revision),
    ...providerInvoiceFields.write(revision.providerInvoice),
    ...revisionFields.write(revision),
    outcome: outcomeFields.write(revision.outcome),
    tolerance: toleranceFields.write(revision.tolerance),
    ...(revision.heldForReview && { held_for_review: true }),
  };
}

/** Reads an entry of the declaration history of an invoice. */
export function toRevision(invoiceId: string, item: RevisionItem): DeclarationRevision {
  const outcome = outcomeFields.read(item.outcome);
  const tolerance = toleranceFields.read(item.tolerance);
  return {
    ...declaredFields.read(item),
    ...revisionFields.read(item),
    invoiceId,
    providerInvoice: providerInvoiceFields.read(item),
    outcome: { ...outcome, differenceAbs: outcome.difference.abs(), source: tolerance.source },
    tolerance,
    heldForReview: item.held_for_review ?? false,
  };
}
