import type { FromSchema } from 'json-schema-to-ts';
import { type DeclarationRevision, IMPORTER } from '../domain/declaration.ts';
import type { StateChange, StateChangeKind } from '../domain/invoice-state-change.ts';
import { STATE_CODES, getStateAfter, type StateCode } from '../domain/invoice-states.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { invoiceId } from './fields.ts';
import { invoiceRow, tolerance, toleranceOutcome } from './response-data.ts';
import { closedObject, boolean, number, numberOrNull, oneOf, text, textOrNull } from './schemas.ts';
import { toTolerance } from './to-response.ts';

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
export const invoiceDeclared = closedObject({
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
  held_for_review: boolean('True if it was sent to review because the company had rejected or adjusted the invoice'),
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

/** The schema of `detail` in the events of a state history: InvoiceStateChanged, InvoiceWithdrawn, InvoiceRestored. */
export const invoiceStateChanged = closedObject({
  ...scopeProperties,
  invoice_version: { type: 'integer', minimum: 1, description: 'Increases with every change of the invoice' },
  from_state: oneOf(STATE_CODES, 'State before'),
  to_state: oneOf(STATE_CODES, 'State after; equal to from_state if the state did not change'),
  from_system_amount: numberOrNull('System amount before; null: the amount did not change'),
  to_system_amount: numberOrNull('System amount after; null: the amount did not change'),
  changed_by: text(`Operator who changed it, also by an import with --force; ${IMPORTER}: an import without it`),
  reason: textOrNull('Reason that the operator gave'),
  changed_at: text('When it was changed, ISO 8601 UTC'),
});

export const eventSchemas = {
  InvoiceDeclared: invoiceDeclared,
  InvoiceStateChanged: invoiceStateChanged,
  InvoiceWithdrawn: invoiceStateChanged,
  InvoiceRestored: invoiceStateChanged,
} as const;

export type EventType = keyof typeof eventSchemas;

export const EVENT_TYPES = Object.keys(eventSchemas) as readonly EventType[];

/** An event; `time` is ISO 8601 UTC. */
interface TypedEvent<Type extends EventType, Detail> {
  readonly type: Type;
  readonly time: string;
  readonly detail: Detail;
}

export type InvoiceDeclared = TypedEvent<'InvoiceDeclared', FromSchema<typeof invoiceDeclared>>;
export type StateChangeEvent = TypedEvent<
  Exclude<EventType, 'InvoiceDeclared'>,
  FromSchema<typeof invoiceStateChanged>
>;
export type InvoiceEvent = InvoiceDeclared | StateChangeEvent;

/** The event of each kind of entry in a state history. */
const STATE_CHANGE_EVENTS = {
  changed: 'InvoiceStateChanged',
  withdrawn: 'InvoiceWithdrawn',
  restored: 'InvoiceRestored',
} as const satisfies Record<StateChangeKind, EventType>;

/** Builds the event of a revision. The same revision always has the same event id. */
export function buildDeclaredEvent(scope: SupplierScope, revision: DeclarationRevision): InvoiceDeclared {
  return {
    type: 'InvoiceDeclared',
    time: revision.declaredAt,
    detail: {
      ...buildScopeFields('InvoiceDeclared', scope, revision.invoiceId, revision.revision),
      ...toDeclarationDocument(revision),
      state_code: getDeclaredState(revision),
    },
  };
}

/** Builds the event of an entry of a state history. The same entry always has the same event id. */
export function buildStateChangeEvent(scope: SupplierScope, change: StateChange): StateChangeEvent {
  const type = STATE_CHANGE_EVENTS[change.kind];
  const { version, ...fields } = toStateChangeDocument(change);
  return {
    type,
    time: change.changedAt,
    detail: {
      ...buildScopeFields(type, scope, change.invoiceId, version),
      invoice_version: version,
      ...fields,
    },
  };
}

function buildScopeFields(type: EventType, { tenant, supplierId }: SupplierScope, id: string, entryNumber: number) {
  return {
    version: 1,
    event_id: [type, tenant, supplierId, id, entryNumber].join(':'),
    tenant,
    supplier_id: supplierId,
    invoice_id: id,
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
  };
}

/** Returns the state that a declaration caused; null for an imported declaration, whose record contains the state. */
export function getDeclaredState({ declaredBy, outcome }: DeclarationRevision): StateCode | null {
  return declaredBy === IMPORTER ? null : getStateAfter(outcome.action);
}

export function toStateChangeDocument(change: StateChange) {
  return {
    from_state: change.from,
    to_state: change.to,
    from_system_amount: change.fromSystemAmount && change.fromSystemAmount.toNumber(),
    to_system_amount: change.toSystemAmount && change.toSystemAmount.toNumber(),
    changed_by: change.changedBy,
    reason: change.reason,
    changed_at: change.changedAt,
    version: change.version,
  };
}
