import { toDeclarationDocument, toStateChangeDocument, getDeclaredState } from '../../../lib/contracts/events.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { isDecimal } from '../../../lib/domain/money.ts';
import { toDecimals } from '../../../lib/tables/dynamodb/values.ts';
import type { DetailedChange } from '../../../lib/tables/history-items.ts';
import { fromInvoice } from '../../../lib/tables/invoice-items.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { describeTolerance } from '../directory/tolerances.ts';
import { defineList, type ListColumn } from '../output/write-sheet.ts';
import { formatDecimal } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

/** The value of a field before and after a change; null for no value. */
interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A change with the values that it changed. */
export interface ListedChange extends RecordedChange {
  readonly fields: readonly FieldChange[];
}

/** The attributes that follow from other attributes. */
const COMPUTED_ATTRIBUTES = new Set(['declared_outcome', 'held_for_review', 'list_position', 'sort_date']);

/** Adds the changed values to the changes of one invoice, oldest first. `invoice` is null if it does not exist any more. */
export function listFieldChanges(
  scope: SupplierScope,
  history: readonly DetailedChange[],
  invoice: Invoice | null,
): ListedChange[] {
  const current: Attributes = invoice ? fromInvoice(scope, invoice) : {};
  return history.map((change, index) => {
    const fields = change.oldValues
      ? listCommandFields(change, change.oldValues, history.slice(index + 1), current)
      : listDeclaredFields(change, history.slice(0, index));
    return { ...change, fields };
  });
}

/** Lists the fields that a command changed. A new value is in the change, in a later change or in the invoice. */
function listCommandFields(
  { newValues, revision, changedAt }: DetailedChange,
  oldValues: Attributes,
  laterChanges: readonly DetailedChange[],
  current: Attributes,
): FieldChange[] {
  const names = Object.keys(oldValues).filter((name) => !COMPUTED_ATTRIBUTES.has(name));
  // The time of a declaration is the time of its change, which the item does not contain twice.
  const ownValues = revision ? { ...newValues, declared_at: changedAt } : newValues;
  return names.map((field) => {
    const laterValues = laterChanges.map((change) => change.oldValues ?? {});
    const source = [ownValues, ...laterValues, current].find((values) => field in values);
    return { field, before: oldValues[field], after: source?.[field] ?? null };
  });
}

/** Lists the amount and the state that a declaration of the supplier changed. */
function listDeclaredFields(
  { revision, previousState }: DetailedChange,
  earlierChanges: readonly DetailedChange[],
): FieldChange[] {
  if (!revision) return [];
  const previous = earlierChanges.findLast((change) => change.revision)?.revision;
  const state = getDeclaredState(revision);
  return [
    { field: 'declared_amount', before: previous?.amount ?? null, after: revision.amount },
    ...(previousState === state ? [] : [{ field: 'state_code', before: previousState, after: state }]),
  ];
}

/** Formats a changed field, such as `state_code: REV → APR`. */
function formatField({ field, before, after }: FieldChange): string {
  return `${field}: ${formatValue(before)} → ${formatValue(after)}`;
}

/** Formats a text, a number or the number of concepts. */
function formatValue(value: unknown): string {
  if (value === null) return '-';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `${value.length} concepts`;
  const converted = toDecimals(value);
  return isDecimal(converted) ? formatDecimal(converted) : JSON.stringify(converted);
}

/** Converts a value of a field to JSON. Numbers become JSON numbers, also in concepts. */
function toJsonValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonValue);
  const converted = toDecimals(value);
  if (isDecimal(converted)) return converted.toNumber();
  if (typeof converted !== 'object' || converted === null) return converted;
  return Object.fromEntries(Object.entries(converted).map(([name, part]) => [name, toJsonValue(part)]));
}

/** Describes the tolerance by which a declaration was approved or not: `REVIEW, outside PCT 5 %, auto-approve (global)`. */
function describeRule({ outcome, tolerance, requiresManualReview }: DeclarationRevision): string {
  const held = requiresManualReview ? ' (held)' : '';
  return `${outcome.action}${held}, ${outcome.isWithinTolerance ? 'within' : 'outside'} ${describeTolerance(tolerance)}`;
}

/** Converts a change to JSON, with the property names of the interface. */
function toChangeDocument(change: ListedChange) {
  const { scope, revision, stateChange } = change;
  return {
    changed_at: change.changedAt,
    kind: change.kind,
    supplier_id: scope.supplierId,
    invoice_id: change.invoiceId,
    version: change.version,
    changed_by: change.changedBy,
    reason: change.reason,
    command_id: change.commandId,
    request_id: change.requestId,
    ...(revision && { declaration: toDeclarationDocument(revision) }),
    ...(stateChange && toStateChangeDocument(stateChange)),
    fields: change.fields.map(({ field, before, after }) => {
      return { field, before: toJsonValue(before), after: toJsonValue(after) };
    }),
  };
}

const { titles } = opsTexts;

/** The columns of a list of changes. */
const COLUMNS: Readonly<Record<string, ListColumn<ListedChange>>> = {
  changed_at: { title: titles.time, kind: 'date', toCell: ({ changedAt }) => changedAt },
  kind: { title: titles.kind, toCell: ({ kind }) => kind },
  supplier_id: { title: titles.supplier, toCell: ({ scope }) => scope.supplierId },
  invoice_id: { title: titles.invoice, toCell: ({ invoiceId }) => invoiceId },
  changed_by: { title: titles.author, toCell: ({ changedBy }) => changedBy },
  change: { title: titles.change, width: 60, toCell: ({ fields }) => fields.map(formatField).join('; ') },
  reason: { title: titles.reason, toCell: ({ reason, revision }) => reason ?? (revision && describeRule(revision)) },
  command_id: { title: titles.command, toCell: ({ commandId }) => commandId },
  request_id: { toCell: ({ requestId }) => requestId },
};

export const CHANGE_LIST = defineList('Changes', COLUMNS, toChangeDocument);
