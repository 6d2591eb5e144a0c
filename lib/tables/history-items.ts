import type { DeclarationRevision } from '../domain/declaration.ts';
import type { StateChange, StateChangeKind } from '../domain/invoice-state-change.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { Tolerance, ToleranceOutcome } from '../domain/tolerance.ts';
import type { LogPosition } from '../invoices/transactions.ts';
import type { Key } from './dynamodb/reads.ts';
import { fromInteger, type StoredNumber } from './dynamodb/values.ts';
import { declarationConverter, providerInvoiceConverter } from './invoice-items.ts';
import { buildDeclarationPartition, buildInvoicePartition, buildLogPartition, buildStateChangeKey } from './keys.ts';
import { type Attributes, DECIMAL, INTEGER, createItemConverter } from './stored-fields.ts';

// The annotation PURE allows the bundler to omit a converter that no code in the bundle uses.
const revisionConverter = /* @__PURE__ */ createItemConverter<
  Pick<DeclarationRevision, 'systemAmount' | 'declaredBy' | 'declaredAt' | 'requestId'>
>({
  systemAmount: ['system_amount', DECIMAL],
  declaredBy: 'declared_by',
  declaredAt: 'declared_at',
  requestId: 'request_id',
});

const revisionOutcomeConverter = /* @__PURE__ */ createItemConverter<
  Omit<ToleranceOutcome, 'differenceAbs' | 'source'>
>({
  isWithinTolerance: 'within_tolerance',
  difference: ['difference', DECIMAL],
  differencePct: ['difference_pct', DECIMAL],
  action: 'action',
});

const toleranceConverter = /* @__PURE__ */ createItemConverter<Tolerance>({
  mode: 'mode',
  pct: ['tolerance_pct', DECIMAL],
  abs: ['tolerance_abs', DECIMAL],
  autoApprove: 'auto_approve',
  source: 'source',
});

/** An entry of a declaration history or of a state history, as the document client returns it. */
export type HistoryItem = Key<unknown> & Attributes;

/** The attributes of an entry of a declaration history, without the key. */
export interface RevisionItem extends Attributes {
  readonly outcome: Attributes;
  readonly tolerance: Attributes;
  readonly held_for_review?: true;
  /** The position of the declaration in the log: `5#27` is number 27 in shard 5. */
  readonly logged?: string;
}

/** Converts a declaration at a position of the log to its item. */
export function fromRevision(
  scope: SupplierScope,
  revision: DeclarationRevision,
  position: LogPosition,
): RevisionItem & Key<number> {
  return {
    pk: buildDeclarationPartition(scope, revision.invoiceId),
    sk: revision.revision,
    ...declarationConverter.toAttributes(revision),
    ...providerInvoiceConverter.toAttributes(revision.providerInvoice),
    ...revisionConverter.toAttributes(revision),
    outcome: revisionOutcomeConverter.toAttributes(revision.outcome),
    tolerance: toleranceConverter.toAttributes(revision.tolerance),
    ...(revision.requiresManualReview && { held_for_review: true }),
    logged: `${position.shard}#${position.number}`,
  };
}

export function toRevision(invoiceId: string, item: RevisionItem): DeclarationRevision {
  const outcome = revisionOutcomeConverter.fromAttributes(item.outcome);
  const tolerance = toleranceConverter.fromAttributes(item.tolerance);
  return {
    ...declarationConverter.fromAttributes(item),
    ...revisionConverter.fromAttributes(item),
    invoiceId,
    providerInvoice: providerInvoiceConverter.fromAttributes(item),
    outcome: { ...outcome, differenceAbs: outcome.difference.abs(), source: tolerance.source },
    tolerance,
    requiresManualReview: item.held_for_review ?? false,
  };
}

/** Reads the position of a declaration in the log. Returns null if the declaration is older than the log. */
export function readLogPosition({ logged }: RevisionItem): LogPosition | null {
  const [shard, number] = logged?.split('#') ?? [];
  return number === undefined ? null : { shard: Number(shard), number: Number(number) };
}

/** An entry of the log. It lists the declarations that one request wrote in one transaction. */
export interface LogItem extends Key<StoredNumber> {
  readonly log_request: string;
  /** The beginning of the partitions of the declarations: `demo.example#200` for a tenant and a supplier. */
  readonly owner: string;
  /** The declarations. `9001#2` is the second revision of invoice 9001. */
  readonly declarations: readonly string[];
}

/** Builds the items of declarations, and one log entry for each request. The first entry has the position `first`. */
export function buildDeclarationItems(
  scope: SupplierScope,
  revisions: readonly DeclarationRevision[],
  first: LogPosition,
) {
  const revisionsByRequest = [...Map.groupBy(revisions, ({ requestId }) => requestId)];
  return revisionsByRequest.flatMap(([requestId, requestRevisions], index) => {
    const position = { shard: first.shard, number: first.number + index };
    const entry: LogItem = {
      pk: buildLogPartition(scope.tenant, position.shard),
      sk: fromInteger(position.number),
      log_request: requestId,
      owner: buildInvoicePartition(scope),
      declarations: requestRevisions.map(({ invoiceId, revision }) => `${invoiceId}#${revision}`),
    };
    return [entry, ...requestRevisions.map((revision) => fromRevision(scope, revision, position))];
  });
}

export function buildDeclarationKeys({ owner, declarations }: LogItem): Key<number>[] {
  return declarations.map((declaration) => {
    const [invoiceId = '', revision] = declaration.split('#');
    return { pk: `${owner}#${invoiceId}`, sk: Number(revision) };
  });
}

// State changes are stored in the table Invoices, and declarations in the table Declarations.
const stateChangeConverter = /* @__PURE__ */ createItemConverter<Omit<StateChange, 'invoiceId' | 'kind'>>({
  version: ['version', INTEGER],
  from: 'from_state',
  to: 'to_state',
  // Version 1.0.0 stored entries without these two amounts.
  fromSystemAmount: ['from_system_amount', DECIMAL],
  toSystemAmount: ['to_system_amount', DECIMAL],
  changedBy: 'changed_by',
  reason: 'reason',
  changedAt: 'changed_at',
});

/** The attributes of an entry of a state history. `kind` is absent in a change of the state or of the system amount. */
export interface StateChangeItem extends Attributes {
  readonly kind?: StateChangeKind;
}

export function fromStateChange(scope: SupplierScope, change: StateChange): StateChangeItem & Key {
  return {
    ...buildStateChangeKey(scope, change.invoiceId, change.version),
    ...stateChangeConverter.toAttributes(change),
    ...(change.kind !== 'changed' && { kind: change.kind }),
  };
}

export function toStateChange(invoiceId: string, item: StateChangeItem): StateChange {
  return { invoiceId, ...stateChangeConverter.fromAttributes(item), kind: item.kind ?? 'changed' };
}
