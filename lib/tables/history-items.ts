import type { DeclarationRevision } from '../domain/declaration.ts';
import type { StateChange } from '../domain/invoice-state-change.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { Tolerance, ToleranceOutcome } from '../domain/tolerance.ts';
import type { LogPosition } from '../invoices/transactions.ts';
import type { Key } from './dynamodb/reads.ts';
import { fromInteger, type StoredNumber } from './dynamodb/values.ts';
import { declaredFields, providerInvoiceFields } from './invoice-items.ts';
import { buildDeclarationPartition, buildInvoicePartition, buildLogPartition, buildStateChangeKey } from './keys.ts';
import { type Attributes, DECIMAL, INTEGER, createItemConverter } from './stored-fields.ts';

// PURE: a bundle leaves out the tables that its function does not use.
const revisionFields = /* @__PURE__ */ createItemConverter<
  Pick<DeclarationRevision, 'systemAmount' | 'declaredBy' | 'declaredAt' | 'requestId'>
>({
  systemAmount: ['system_amount', DECIMAL],
  declaredBy: 'declared_by',
  declaredAt: 'declared_at',
  requestId: 'request_id',
});

const outcomeFields = /* @__PURE__ */ createItemConverter<Omit<ToleranceOutcome, 'differenceAbs' | 'source'>>({
  withinTolerance: 'within_tolerance',
  difference: ['difference', DECIMAL],
  differencePct: ['difference_pct', DECIMAL],
  action: 'action',
});

const toleranceFields = /* @__PURE__ */ createItemConverter<Tolerance>({
  mode: 'mode',
  pct: ['tolerance_pct', DECIMAL],
  abs: ['tolerance_abs', DECIMAL],
  autoApprove: 'auto_approve',
  source: 'source',
});

/** An entry of a history in the form of the document client. */
export type HistoryItem = Key<unknown> & Attributes;

/** A stored entry of an invoice's declaration history, without its key. */
export interface RevisionItem extends Attributes {
  readonly outcome: Attributes;
  readonly tolerance: Attributes;
  readonly held_for_review?: true;
  /** The position of the declaration in the log, as `<shard>#<number>`. */
  readonly logged?: string;
}

/** Converts a declaration to its item, with its position in the log. */
export function fromRevision(
  scope: SupplierScope,
  revision: DeclarationRevision,
  logged: LogPosition,
): RevisionItem & Key<number> {
  return {
    pk: buildDeclarationPartition(scope, revision.invoiceId),
    sk: revision.revision,
    ...declaredFields.write(revision),
    ...providerInvoiceFields.write(revision.providerInvoice),
    ...revisionFields.write(revision),
    outcome: outcomeFields.write(revision.outcome),
    tolerance: toleranceFields.write(revision.tolerance),
    ...(revision.requiresManualReview && { held_for_review: true }),
    logged: `${logged.shard}#${logged.number}`,
  };
}

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
    requiresManualReview: item.held_for_review ?? false,
  };
}

/** Reads the position of a declaration in the log; null if the declaration is older than the log. */
export function readLogPosition({ logged }: RevisionItem): LogPosition | null {
  const [shard, number] = (logged ?? '').split('#');
  return number ? { shard: Number(shard), number: Number(number) } : null;
}

/** An entry of the log: the declarations that a request wrote in one transaction. */
export interface LogItem extends Key<StoredNumber> {
  readonly log_request: string;
  /** The prefix of the partitions of their histories. */
  readonly owner: string;
  /** Keys in the form `<invoice id>#<revision>`. */
  readonly declarations: readonly string[];
}

/** Builds the items of declarations: their revisions, and an entry of the log for each request, from `first` on. */
export function buildDeclarationItems(
  scope: SupplierScope,
  revisions: readonly DeclarationRevision[],
  first: LogPosition,
) {
  const requests = [...Map.groupBy(revisions, ({ requestId }) => requestId)];
  return requests.flatMap(([requestId, written], index) => {
    const position = { ...first, number: first.number + index };
    const entry: LogItem = {
      pk: buildLogPartition(scope.tenant, position.shard),
      sk: fromInteger(position.number),
      log_request: requestId,
      owner: buildInvoicePartition(scope),
      declarations: written.map(({ invoiceId, revision }) => `${invoiceId}#${revision}`),
    };
    return [entry, ...written.map((revision) => fromRevision(scope, revision, position))];
  });
}

/** Returns the keys of the declarations of an entry of the log. */
export function readDeclarationKeys({ owner, declarations }: LogItem): Key<number>[] {
  return declarations.map((declaration) => {
    const [invoiceId = '', revision] = declaration.split('#');
    return { pk: `${owner}#${invoiceId}`, sk: Number(revision) };
  });
}

// Lists do not show these items, because they have no sort date.
const stateChangeFields = /* @__PURE__ */ createItemConverter<Omit<StateChange, 'invoiceId'>>({
  version: ['version', INTEGER],
  from: 'from_state',
  to: 'to_state',
  // Entries of version 1.0.0 do not have these two.
  fromSystemAmount: ['from_system_amount', DECIMAL],
  toSystemAmount: ['to_system_amount', DECIMAL],
  changedBy: 'changed_by',
  reason: 'reason',
  changedAt: 'changed_at',
});

export function fromStateChange(scope: SupplierScope, change: StateChange) {
  return { ...buildStateChangeKey(scope, change.invoiceId, change.version), ...stateChangeFields.write(change) };
}

export function toStateChange(invoiceId: string, item: Attributes): StateChange {
  return { invoiceId, ...stateChangeFields.read(item) };
}
