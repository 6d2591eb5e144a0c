import type { DeclarationRevision } from '../domain/declaration.ts';
import {
  type ChangeKind,
  describeStateChange,
  getChangeKind,
  type InvoiceChange,
  type RecordedChange,
  type StateChange,
} from '../domain/invoice-change.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { isSameNotice, NO_NOTICE, type Notice } from '../domain/notice.ts';
import type { Attributes, Key } from './dynamodb/reads.ts';
import {
  fromDecimal,
  fromInteger,
  type StoredNumber,
  toDecimal,
  toDecimalOrNull,
  toInteger,
} from './dynamodb/values.ts';
import {
  fromDeclaration,
  fromInvoice,
  fromNotice,
  fromProviderInvoice,
  type NoticeAttributes,
  type ProviderAttributes,
  toDeclaration,
  toNotice,
  toProviderInvoice,
} from './invoice-items.ts';
import { buildChangeIndexKey, buildHistoryPartition, parseHistoryPartition } from './keys.ts';

/** A change of an invoice, in the partition of the invoice. The sort key is the version that the change created. */
export interface HistoryItem extends Key<StoredNumber> {
  /** The key of the index in order of time. The index does not contain the old and the new values. */
  readonly change_day: string;
  readonly change_key: string;
  readonly kind: ChangeKind;
  readonly changed_at: string;
  readonly changed_by: string;
  readonly reason?: string;
  readonly request_id?: string;
  readonly command_id?: string;
  /** A declaration. Its time and its request are attributes of the item. */
  readonly declaration?: ReturnType<typeof fromRevision>;
  readonly state_change?: ReturnType<typeof fromStateChange>;
  /** The notice after the change of a command; absent if the invoice has had none before and after the change. */
  readonly notice?: NoticeAttributes;
  /** The state before a declaration by a supplier. The `old_values` of a command contain its state. */
  readonly previous_state?: StateCode;
  /** The attributes that a command changed, as they were before the change; null for an absent attribute. */
  readonly old_values?: Attributes;
  /** The new values of a command that a later declaration can replace: no other item would contain them then. */
  readonly new_values?: Attributes;
}

/** A change with the attributes of the invoice that it changed. */
export interface DetailedChange extends RecordedChange {
  /** The changed attributes before the change, null for an absent attribute. Null if a supplier declared an amount. */
  readonly oldValues: Attributes | null;
  /** The new values that the item contains. The others are the old values of the next change or of the invoice. */
  readonly newValues: Attributes;
}

/** Builds the history item of a change. Returns null for a new invoice without a declaration and without a notice. */
export function buildHistoryItem(
  scope: SupplierScope,
  { before, after, revision, author }: InvoiceChange,
  commandId: string | undefined,
): HistoryItem | null {
  const notice = author && findNotice(before, after);
  if (!before && !revision && !notice) return null;
  const { invoiceId, version, changedAt } = after;
  const stateChange = before && author ? describeStateChange(before, after) : null;
  const newValues = before && author && !revision ? findProviderInvoice(before, after) : null;
  return {
    pk: buildHistoryPartition(scope, invoiceId),
    sk: fromInteger(version),
    ...buildChangeIndexKey({ scope, invoiceId, version, changedAt }),
    kind: getChangeKind(before, after, revision),
    changed_at: changedAt,
    changed_by: author?.changedBy ?? revision?.declaredBy ?? '',
    ...(author?.reason && { reason: author.reason }),
    ...(revision && { request_id: revision.requestId, declaration: fromRevision(revision) }),
    ...(commandId !== undefined && { command_id: commandId }),
    ...(stateChange && { state_change: fromStateChange(stateChange) }),
    ...(notice && { notice: fromNotice(notice) }),
    ...(before && !author && { previous_state: before.state }),
    ...(before && author && { old_values: findOldValues(scope, before, after) }),
    ...(newValues && { new_values: newValues }),
  };
}

/** Returns the notice of an invoice, or null if the invoice has none before and after the change. */
function findNotice(before: Invoice | null, after: Invoice): Notice | null {
  const hasNotice = ({ notice }: Invoice) => !isSameNotice(notice, NO_NOTICE);
  return hasNotice(after) || (before && hasNotice(before)) ? after.notice : null;
}

// These attributes change with every change, or follow from other attributes.
const DERIVED_ATTRIBUTES = new Set(['version', 'changed_ms', 'search_text']);

/** Finds the old values of the attributes that differ. An attribute that was absent has the old value null. */
export function findOldValues(scope: SupplierScope, before: Invoice, after: Invoice): Attributes {
  const [oldItem, newItem]: Attributes[] = [fromInvoice(scope, before), fromInvoice(scope, after)];
  const oldValues: Record<string, unknown> = {};
  for (const name of Object.keys({ ...oldItem, ...newItem })) {
    const oldValue = oldItem?.[name] ?? null;
    // The attributes of two items are built in the same order, so that equal values have equal texts.
    const isChanged = JSON.stringify(oldValue) !== JSON.stringify(newItem?.[name] ?? null);
    if (isChanged && !DERIVED_ATTRIBUTES.has(name)) oldValues[name] = oldValue;
  }
  return oldValues;
}

/** Returns the attributes of the supplier's own invoice, or null if a change does not change them. */
function findProviderInvoice(before: Invoice, after: Invoice): ProviderAttributes | null {
  const { number, date } = before.providerInvoice;
  const isSame = number === after.providerInvoice.number && date === after.providerInvoice.date;
  return isSame ? null : fromProviderInvoice(after.providerInvoice);
}

/** Converts an item of the table, or of the index, which lacks the old and the new values. */
export function toRecordedChange(item: HistoryItem): RecordedChange {
  const { scope, invoiceId } = parseHistoryPartition(item.pk);
  return {
    scope,
    invoiceId,
    version: toInteger(item.sk),
    kind: item.kind,
    changedAt: item.changed_at,
    changedBy: item.changed_by,
    reason: item.reason ?? null,
    requestId: item.request_id ?? null,
    commandId: item.command_id ?? null,
    revision: item.declaration ? toRevision(invoiceId, item, item.declaration) : null,
    stateChange: item.state_change ? toStateChange(item.state_change) : null,
    previousState: item.previous_state ?? null,
    notice: toNotice(item.notice ?? {}),
  };
}

/** Converts an item of the table. */
export function toDetailedChange(item: HistoryItem): DetailedChange {
  const { declaration, state_change: stateChange } = item;
  const newValues: Attributes = {
    ...item.new_values,
    ...item.notice,
    ...declaration,
    ...(stateChange && { state_code: stateChange.to_state }),
    ...(stateChange?.to_system_amount && { system_amount: stateChange.to_system_amount }),
  };
  return { ...toRecordedChange(item), oldValues: item.old_values ?? null, newValues };
}

function fromRevision(revision: DeclarationRevision) {
  const { outcome, tolerance } = revision;
  return {
    ...fromDeclaration(revision),
    ...fromProviderInvoice(revision.providerInvoice),
    system_amount: fromDecimal(revision.systemAmount),
    held_for_review: revision.requiresManualReview,
    outcome: {
      within_tolerance: outcome.isWithinTolerance,
      difference: fromDecimal(outcome.difference),
      difference_pct: fromDecimal(outcome.differencePct),
      action: outcome.action,
    },
    tolerance: {
      mode: tolerance.mode,
      tolerance_pct: tolerance.pct && fromDecimal(tolerance.pct),
      tolerance_abs: tolerance.abs && fromDecimal(tolerance.abs),
      auto_approve: tolerance.autoApprove,
      source: tolerance.source,
    },
  };
}

function toRevision(
  invoiceId: string,
  item: HistoryItem,
  declaration: ReturnType<typeof fromRevision>,
): DeclarationRevision {
  const { outcome, tolerance } = declaration;
  const difference = toDecimal(outcome.difference);
  return {
    ...toDeclaration(declaration),
    invoiceId,
    declaredAt: item.changed_at,
    requestId: item.request_id ?? '',
    providerInvoice: toProviderInvoice(declaration),
    systemAmount: toDecimal(declaration.system_amount),
    requiresManualReview: declaration.held_for_review,
    outcome: {
      isWithinTolerance: outcome.within_tolerance,
      difference,
      differencePct: toDecimal(outcome.difference_pct),
      differenceAbs: difference.abs(),
      action: outcome.action,
      source: tolerance.source,
    },
    tolerance: {
      mode: tolerance.mode,
      pct: toDecimalOrNull(tolerance.tolerance_pct),
      abs: toDecimalOrNull(tolerance.tolerance_abs),
      autoApprove: tolerance.auto_approve,
      source: tolerance.source,
    },
  };
}

function fromStateChange({ from, to, fromSystemAmount, toSystemAmount }: StateChange) {
  return {
    from_state: from,
    to_state: to,
    from_system_amount: fromSystemAmount && fromDecimal(fromSystemAmount),
    to_system_amount: toSystemAmount && fromDecimal(toSystemAmount),
  };
}

function toStateChange(attributes: ReturnType<typeof fromStateChange>): StateChange {
  return {
    from: attributes.from_state,
    to: attributes.to_state,
    fromSystemAmount: toDecimalOrNull(attributes.from_system_amount),
    toSystemAmount: toDecimalOrNull(attributes.to_system_amount),
  };
}
