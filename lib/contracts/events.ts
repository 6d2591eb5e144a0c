import type { FromSchema } from 'json-schema-to-ts';
import { type DeclarationRevision, IMPORTER } from '../domain/declaration.ts';
import type { StateChange } from '../domain/invoice-state-change.ts';
import { STATE_CODES } from '../domain/invoice-states.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { invoiceId, invoiceRow, tolerance, toleranceOutcome } from './fields.ts';
import { declarationDocument, stateChangeDocument, stateDeclared } from './history.ts';
import { exactly, flag, number, numberOrNull, oneOf, text, textOrNull } from './schemas.ts';

/** What every event names as its source. */
export const EVENT_SOURCE = 'supplier-portal-invoices';

const scopeProperties = {
  version: { const: 1, description: 'Version of this form: what breaks receivers gets another number' },
  event_id: text('The same each time the event is sent, and that of no other event'),
  tenant: text('Tenant of the supplier'),
  supplier_id: text('Supplier of the invoice'),
  invoice_id: invoiceId,
} as const;

const { properties: row } = invoiceRow;
const { properties: outcome } = toleranceOutcome;

/** `detail` of InvoiceDeclared: a revision of the declaration of an invoice. */
export const invoiceDeclared = exactly({
  ...scopeProperties,
  declaration_id: text('Declaration identifier; the same when the invoice is declared again'),
  revision: { type: 'integer', minimum: 1, description: 'Grows by one each time the invoice is declared' },
  declared_amount: number('Amount declared'),
  declared_tax_pct: numberOrNull('Tax percentage declared'),
  declared_notes: row.declared_notes,
  provider_invoice_number: row.provider_invoice_number,
  provider_invoice_date: row.provider_invoice_date,
  system_amount: number('Amount calculated by the system, when it was declared'),
  within_tolerance: outcome.within_tolerance,
  difference: number('Declared minus system amount'),
  difference_pct: outcome.difference_pct,
  action: outcome.action,
  held_for_review: flag('Whether it went to review because the company had rejected or adjusted the invoice'),
  tolerance,
  declared_by: text(`Id of the user; ${IMPORTER}: it came with an import of the company`),
  declared_at: text('When it was declared, ISO 8601 UTC'),
  request_id: text('Request that declared it'),
  state_code: {
    type: ['string', 'null'],
    enum: [...STATE_CODES, null],
    description: 'State that it led to; null: it came with an import, which names the state itself',
  },
});

/** `detail` of InvoiceStateChanged: a change of the state, or of a fixed system amount, that no declaration made. */
export const invoiceStateChanged = exactly({
  ...scopeProperties,
  invoice_version: { type: 'integer', minimum: 1, description: 'Grows with every change of the invoice' },
  from_state: oneOf(STATE_CODES, 'State before'),
  to_state: oneOf(STATE_CODES, 'State after; equal to from_state if only the system amount changed'),
  from_system_amount: numberOrNull('System amount before; null: the amount did not change'),
  to_system_amount: numberOrNull('System amount after; null: the amount did not change'),
  changed_by: text(`Operator who changed it, also by an import with --force; ${IMPORTER}: an import without it`),
  reason: textOrNull('Why, in the words of who changed it'),
  changed_at: text('When it was changed, ISO 8601 UTC'),
});

/** The schema of `detail` by the type of the event. */
export const eventSchemas = { InvoiceDeclared: invoiceDeclared, InvoiceStateChanged: invoiceStateChanged } as const;

/** The type of an event. */
export type EventType = keyof typeof eventSchemas;

interface EventOf<Type extends EventType, Detail> {
  readonly type: Type;
  readonly time: string;
  readonly detail: Detail;
}

/** A revision of a declaration; `time` is ISO 8601 UTC. */
export type InvoiceDeclared = EventOf<'InvoiceDeclared', FromSchema<typeof invoiceDeclared>>;

/** A change of the state, or of a fixed system amount, that no declaration made; `time` is ISO 8601 UTC. */
export type InvoiceStateChanged = EventOf<'InvoiceStateChanged', FromSchema<typeof invoiceStateChanged>>;

/** What happened to an invoice, for the systems of the company. */
export type InvoiceEvent = InvoiceDeclared | InvoiceStateChanged;

/** The event that a revision of a declaration stands for. */
export function declaredEvent(scope: SupplierScope, revision: DeclarationRevision): InvoiceDeclared {
  return {
    type: 'InvoiceDeclared',
    time: revision.declaredAt,
    detail: {
      ...scopeFields('InvoiceDeclared', scope, revision.invoiceId, revision.revision),
      ...declarationDocument(revision),
      state_code: stateDeclared(revision),
    },
  };
}

/** The event that a change of state stands for. */
export function stateChangedEvent(scope: SupplierScope, change: StateChange): InvoiceStateChanged {
  const { version, ...changed } = stateChangeDocument(change);
  return {
    type: 'InvoiceStateChanged',
    time: change.changedAt,
    detail: {
      ...scopeFields('InvoiceStateChanged', scope, change.invoiceId, version),
      invoice_version: version,
      ...changed,
    },
  };
}

function scopeFields(type: EventType, { tenant, supplierId }: SupplierScope, invoice: string, entry: number) {
  return {
    version: 1,
    event_id: [type, tenant, supplierId, invoice, entry].join(':'),
    tenant,
    supplier_id: supplierId,
    invoice_id: invoice,
  } as const;
}
