import type { FromSchema } from 'json-schema-to-ts';
import { type DeclarationRevision, IMPORTER } from '../domain/declaration.ts';
import type { ChangeKind, RecordedChange, StateChange } from '../domain/invoice-change.ts';
import { STATE_CODES, getStateAfter, type StateCode } from '../domain/invoice-states.ts';
import { invoiceId } from './fields.ts';
import { invoiceRow, noticeProperties, tolerance, toleranceOutcome } from './response-data.ts';
import { closedObject, boolean, number, numberOrNull, oneOf, text, textOrNull } from './schemas.ts';
import { toNoticeFields, toTolerance } from './to-response.ts';

export const EVENT_SOURCE = 'supplier-portal-invoices';

const scopeProperties = {
  version: { const: 1, description: 'Version of this format: an incompatible change gets another number' },
  event_id: text('Unique id of the event; repeated deliveries of the event have the same id'),
  tenant: text('Tenant of the supplier'),
  supplier_id: text('Supplier of the invoice'),
  invoice_id: invoiceId,
} as const;

const { properties: rowSchemas } = invoiceRow;
const { properties: outcomeSchemas } = toleranceOutcome;

/** The schema of `detail` in InvoiceDeclared: a revision of the declaration of an invoice. */
const invoiceDeclared = closedObject({
  ...scopeProperties,
  declaration_id: text('Declaration identifier; the same when the invoice is declared again'),
  revision: { type: 'integer', minimum: 1, description: 'Increases by one each time the invoice is declared' },
  declared_amount: number('Amount declared'),
  declared_tax_pct: numberOrNull('Tax percentage declared'),
  declared_notes: rowSchemas.declared_notes,
  provider_invoice_number: rowSchemas.provider_invoice_number,
  provider_invoice_date: rowSchemas.provider_invoice_date,
  system_amount: number('Amount calculated by the system, when it was declared'),
  within_tolerance: outcomeSchemas.within_tolerance,
  difference: number('Declared minus system amount'),
  difference_pct: outcomeSchemas.difference_pct,
  action: outcomeSchemas.action,
  held_for_review: boolean(
    'True if it was sent to review because the company had rejected or adjusted it, or approved an amount',
  ),
  tolerance,
  declared_by: text(`Id of the user; ${IMPORTER}: it was created by an import of the company`),
  declared_at: text('When it was declared, ISO 8601 UTC'),
  request_id: text('Request that declared it'),
  state_code: {
    type: ['string', 'null'],
    enum: [...STATE_CODES, null],
    description: 'Resulting state; null: it was created by an import, which contains the state itself',
  },
});

/** The schema of `detail` in the events of other changes: InvoiceStateChanged, InvoiceWithdrawn, InvoiceRestored. */
const invoiceStateChanged = closedObject({
  ...scopeProperties,
  invoice_version: { type: 'integer', minimum: 1, description: 'Increases with every change of the invoice' },
  from_state: oneOf(STATE_CODES, 'State before'),
  to_state: oneOf(STATE_CODES, 'State after; equal to from_state if the state did not change'),
  from_system_amount: numberOrNull('System amount before; null: the amount did not change'),
  to_system_amount: numberOrNull('System amount after; null: the amount did not change'),
  changed_by: text(`Operator who changed it, also by an import with --force; ${IMPORTER}: an import without it`),
  reason: textOrNull('Reason that the operator gave, for internal use'),
  ...noticeProperties,
  changed_at: text('When it was changed, ISO 8601 UTC'),
});

export const eventSchemas = {
  InvoiceDeclared: invoiceDeclared,
  InvoiceStateChanged: invoiceStateChanged,
  InvoiceWithdrawn: invoiceStateChanged,
  InvoiceRestored: invoiceStateChanged,
} as const;

export type EventType = keyof typeof eventSchemas;

/** An event; `time` is ISO 8601 UTC. */
export interface InvoiceEvent {
  readonly type: EventType;
  readonly time: string;
  readonly detail: FromSchema<typeof invoiceDeclared> | FromSchema<typeof invoiceStateChanged>;
}

/** The event of a change of the state, the system amount, the notice or the withdrawal, by the kind of the change. */
const STATE_CHANGE_EVENTS = {
  declaration: 'InvoiceStateChanged',
  state: 'InvoiceStateChanged',
  amount: 'InvoiceStateChanged',
  notice: 'InvoiceStateChanged',
  withdrawal: 'InvoiceWithdrawn',
  restore: 'InvoiceRestored',
} as const satisfies Record<Exclude<ChangeKind, 'fields'>, EventType>;

/** The kinds of changes that have events. */
export const PUBLISHED_KINDS = Object.keys(STATE_CHANGE_EVENTS);

/** Builds the events of a change. An import can declare an amount and change the state in one change. */
export function buildEvents(change: RecordedChange): InvoiceEvent[] {
  const { kind, version, changedAt, revision, stateChange } = change;
  if (kind === 'fields') return [];
  const events: InvoiceEvent[] = [];
  if (revision) {
    const type = 'InvoiceDeclared';
    const scopeFields = buildScopeFields(type, change, revision.revision);
    events.push({ type, time: changedAt, detail: { ...scopeFields, ...toDeclarationDocument(revision) } });
  }
  if (stateChange) {
    const type = STATE_CHANGE_EVENTS[kind];
    const detail = {
      ...buildScopeFields(type, change, version),
      invoice_version: version,
      ...toStateChangeDocument(stateChange),
      changed_by: change.changedBy,
      reason: change.reason,
      ...toNoticeFields(change.notice),
      changed_at: changedAt,
    };
    events.push({ type, time: changedAt, detail });
  }
  return events;
}

/**
 * Builds the fields that identify an event. The same change always has the same event id. The id contains the time,
 * because after a restore of the tables another change can have the same number.
 */
function buildScopeFields(type: EventType, change: RecordedChange, changeNumber: number) {
  const { tenant, supplierId } = change.scope;
  return {
    version: 1,
    event_id: [type, tenant, supplierId, change.invoiceId, changeNumber, change.changedAt].join(':'),
    tenant,
    supplier_id: supplierId,
    invoice_id: change.invoiceId,
  } as const;
}

/** Converts a declaration to JSON for scripts and other systems, with the property names of the interface. */
export function toDeclarationDocument(revision: DeclarationRevision) {
  const { outcome } = revision;
  return {
    declaration_id: revision.declarationId,
    revision: revision.revision,
    declared_amount: revision.amount.toNumber(),
    declared_notes: revision.notes,
    declared_tax_pct: revision.taxPct && revision.taxPct.toNumber(),
    provider_invoice_number: revision.providerInvoice.number,
    provider_invoice_date: revision.providerInvoice.date,
    system_amount: revision.systemAmount.toNumber(),
    within_tolerance: outcome.isWithinTolerance,
    difference: outcome.difference.toNumber(),
    difference_pct: outcome.differencePct.toNumber(),
    action: outcome.action,
    held_for_review: revision.requiresManualReview,
    tolerance: toTolerance(revision.tolerance),
    declared_by: revision.declaredBy,
    declared_at: revision.declaredAt,
    request_id: revision.requestId,
    state_code: getDeclaredState(revision),
  };
}

/** Returns the state that a declaration caused; null for an imported declaration, whose record contains the state. */
export function getDeclaredState({ declaredBy, outcome }: DeclarationRevision): StateCode | null {
  return declaredBy === IMPORTER ? null : getStateAfter(outcome.action);
}

export function toStateChangeDocument({ from, to, fromSystemAmount, toSystemAmount }: StateChange) {
  return {
    from_state: from,
    to_state: to,
    from_system_amount: fromSystemAmount && fromSystemAmount.toNumber(),
    to_system_amount: toSystemAmount && toSystemAmount.toNumber(),
  };
}
