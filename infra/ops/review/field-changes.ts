import { getDeclaredState } from '../../../lib/contracts/events.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import type { DetailedChange } from '../../../lib/tables/history-items.ts';
import { fromInvoice, fromNotice } from '../../../lib/tables/invoice-items.ts';

/** The value of a field before and after a change; null for no value. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A change with the values that it changed. */
export interface ListedChange extends RecordedChange {
  readonly fields: readonly FieldChange[];
}

/** The attributes that are computed from other attributes. */
const COMPUTED_ATTRIBUTES = new Set(['declared_outcome', 'held_for_review', 'list_position', 'sort_date']);

/** Adds the old and new values to changes of an invoice, oldest first. `invoice` is the current invoice. */
export function listFieldChanges(
  scope: SupplierScope,
  history: readonly DetailedChange[],
  invoice: Invoice | null,
): ListedChange[] {
  const currentValues: Attributes = invoice ? fromInvoice(scope, invoice) : {};
  return history.map((change, index) => {
    const { oldValues } = change;
    const fields = oldValues
      ? listCommandFields(change, oldValues, history.slice(index + 1), currentValues)
      : [...listDeclaredFields(change, history.slice(0, index)), ...listFirstNotice(change)];
    return { ...change, fields };
  });
}

/**
 * Lists the fields that a command changed. Its change contains all old values, but few new ones. The other new values
 * are old values of later changes or, if no later change has replaced them, current values.
 */
function listCommandFields(
  change: DetailedChange,
  oldValues: Attributes,
  laterChanges: readonly DetailedChange[],
  currentValues: Attributes,
): FieldChange[] {
  const { newValues, revision, changedAt } = change;
  // The time of a declaration is the time of its change, which the item does not contain twice.
  const ownValues = revision ? { ...newValues, declared_at: changedAt } : newValues;
  const laterValues = laterChanges.map((laterChange) => laterChange.oldValues ?? {});
  const sources = [ownValues, ...laterValues, currentValues];
  const changedFields = Object.keys(oldValues).filter((field) => !COMPUTED_ATTRIBUTES.has(field));
  return changedFields.map((field) => {
    const source = sources.find((values) => field in values);
    return { field, before: oldValues[field], after: source?.[field] ?? null };
  });
}

/** Lists the fields that a supplier changed by a declaration. */
function listDeclaredFields(
  { revision, previousState }: DetailedChange,
  earlierChanges: readonly DetailedChange[],
): FieldChange[] {
  if (!revision) return [];
  const previousRevision = earlierChanges.findLast((change) => change.revision)?.revision;
  const amount = { field: 'declared_amount', before: previousRevision?.amount ?? null, after: revision.amount };
  const state = getDeclaredState(revision);
  if (previousState === state) return [amount];
  return [amount, { field: 'state_code', before: previousState, after: state }];
}

/** Lists the notice of the first change of an invoice that an import created. Other changes without old values have none. */
function listFirstNotice({ notice }: DetailedChange): FieldChange[] {
  const entries = Object.entries(fromNotice(notice)).filter(([, value]) => value !== null);
  return entries.map(([field, value]) => ({ field, before: null, after: value }));
}
