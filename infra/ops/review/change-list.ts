import { toDeclarationDocument, toStateChangeDocument } from '../../../lib/contracts/events.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import { isDecimal } from '../../../lib/domain/money.ts';
import { toDecimals } from '../../../lib/tables/dynamodb/values.ts';
import { describeTolerance } from '../directory/tolerances.ts';
import { defineList, type ListColumn } from '../output/write-sheet.ts';
import { formatDecimal } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { FieldChange, ListedChange } from './field-changes.ts';

const { titles } = opsTexts;

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

/** The list of changes that the commands history and changes print. */
export const CHANGE_LIST = defineList('Changes', COLUMNS, toChangeDocument);

/** Formats a changed field, such as `state_code: REV → APR`. */
function formatField({ field, before, after }: FieldChange): string {
  return `${field}: ${formatValue(before)} → ${formatValue(after)}`;
}

/** Formats a value of a field. Of concepts, formats only their number, such as `3 concepts`. */
function formatValue(value: unknown): string {
  if (value === null) return '-';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `${value.length} concepts`;
  const converted = toDecimals(value);
  return isDecimal(converted) ? formatDecimal(converted) : JSON.stringify(converted);
}

/** Describes the action on a declaration and its tolerance: `REVIEW, outside PCT 5 %, auto-approve (global)`. */
function describeRule({ outcome, tolerance, requiresManualReview }: DeclarationRevision): string {
  const held = requiresManualReview ? ' (held)' : '';
  const position = outcome.isWithinTolerance ? 'within' : 'outside';
  return `${outcome.action}${held}, ${position} ${describeTolerance(tolerance)}`;
}

function toChangeDocument(change: ListedChange) {
  const { scope, revision, stateChange, fields } = change;
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
    declaration: revision ? toDeclarationDocument(revision) : undefined,
    ...(stateChange && toStateChangeDocument(stateChange)),
    fields: fields.map(({ field, before, after }) => {
      return { field, before: toJsonValue(before), after: toJsonValue(after) };
    }),
  };
}

/** Converts the numbers in a value, also in concepts, to JSON numbers. */
function toJsonValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonValue);
  const converted = toDecimals(value);
  if (isDecimal(converted)) return converted.toNumber();
  if (typeof converted !== 'object' || converted === null) return converted;
  return Object.fromEntries(Object.entries(converted).map(([name, part]) => [name, toJsonValue(part)]));
}
