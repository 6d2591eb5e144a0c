import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { StateChange } from '../../domain/invoice-state-change.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { Tolerance, ToleranceOutcome } from '../../domain/tolerance.ts';
import { newEntryNumber } from '../../runtime/ids.ts';
import type { Key } from '../dynamodb/key.ts';
import { fromInteger, type StoredNumber } from '../dynamodb/numbers.ts';
import { declaredFields, providerInvoiceFields } from './invoice-items.ts';
import { declarationPartition, invoicePartition, requestPartition, stateChangeKey } from './keys.ts';
import { type Attributes, DECIMAL, INTEGER, storedFields } from './stored-fields.ts';

// PURE: a bundle leaves out the tables that its function does not use.
const revisionFields = /* @__PURE__ */ storedFields<
  Pick<DeclarationRevision, 'systemAmount' | 'declaredBy' | 'declaredAt' | 'requestId'>
>({
  systemAmount: ['system_amount', DECIMAL],
  declaredBy: 'declared_by',
  declaredAt: 'declared_at',
  requestId: 'request_id',
});

const outcomeFields = /* @__PURE__ */ storedFields<Omit<ToleranceOutcome, 'differenceAbs' | 'source'>>({
  withinTolerance: 'within_tolerance',
  difference: ['difference', DECIMAL],
  differencePct: ['difference_pct', DECIMAL],
  action: 'action',
});

const toleranceFields = /* @__PURE__ */ storedFields<Tolerance>({
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

/** Which declarations a request wrote in one transaction. */
export interface RequestItem extends Key<StoredNumber> {
  /** What the partitions of their histories begin with. */
  readonly owner: string;
  /** Each as `<invoice id>#<revision>`. */
  readonly declarations: readonly string[];
}

/** The entries of a transaction for the requests that write these declarations; each has a new key. */
export function requestItems(
  scope: SupplierScope,
  revisions: readonly Pick<DeclarationRevision, 'requestId' | 'invoiceId' | 'revision'>[],
): RequestItem[] {
  return [...Map.groupBy(revisions, ({ requestId }) => requestId)].map(([requestId, written]) => ({
    pk: requestPartition(requestId),
    sk: fromInteger(newEntryNumber()),
    owner: invoicePartition(scope),
    declarations: written.map(({ invoiceId, revision }) => `${invoiceId}#${revision}`),
  }));
}

// Without a sort date, no list shows it.
const stateChangeFields = /* @__PURE__ */ storedFields<Omit<StateChange, 'invoiceId'>>({
  version: ['version', INTEGER],
  from: 'from_state',
  to: 'to_state',
  changedBy: 'changed_by',
  reason: 'reason',
  changedAt: 'changed_at',
});

/** The stored form of an entry of an invoice's state history, with its key. */
export function fromStateChange(scope: SupplierScope, change: StateChange) {
  return { ...stateChangeKey(scope, change.invoiceId, change.version), ...stateChangeFields.write(change) };
}

/** The state change of an invoice that an item stands for. */
export function toStateChange(invoiceId: string, item: Attributes): StateChange {
  return { invoiceId, ...stateChangeFields.read(item) };
}
