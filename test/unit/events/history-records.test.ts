import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { buildEventsDocument } from '../../../infra/openapi/document.ts';
import { EVENT_SOURCE } from '../../../lib/contracts/events.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { readStreamEvents, type StreamRecord } from '../../../lib/events/publish-records.ts';
import {
  buildDeclaredItem,
  buildOperatorItem,
  buildRevision,
  buildRevisionRecord,
  buildStreamRecord,
} from '../../support/data/stream-records.ts';

const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(buildEventsDocument());

/** Reads the events of a record. Each event conforms to the published schema. */
function readEvents(record: StreamRecord) {
  const events = readStreamEvents(record);
  for (const { type, detail } of events) {
    isValid(JSON.parse(JSON.stringify({ source: EVENT_SOURCE, 'detail-type': type, detail })));
    expect(isValid.errors).toBeNull();
  }
  return events;
}

const buildOperatorRecord = (...change: Parameters<typeof buildOperatorItem>) =>
  buildStreamRecord(buildOperatorItem(...change));

it('the event of a declaration has the interface names, exact amounts, the tolerance, and an id built from its key', () => {
  expect(readEvents(buildRevisionRecord())).toEqual([
    {
      type: 'InvoiceDeclared',
      time: '2026-08-31T12:00:00.000Z',
      detail: {
        ...{ version: 1, event_id: 'InvoiceDeclared:portal.example:200:9001:1:2026-08-31T12:00:00.000Z' },
        ...{ tenant: 'portal.example', supplier_id: '200', invoice_id: '9001' },
        ...{ declaration_id: '1795243070161803765', revision: 1 },
        ...{ declared_amount: 1050.25, declared_tax_pct: 10.5, declared_notes: '=1+1 "ñ" 😀\u0001' },
        ...{ provider_invoice_number: 'A-0001-00001234', provider_invoice_date: null },
        ...{ system_amount: 1000.1, within_tolerance: false, difference: 50.15, difference_pct: 5.0145 },
        ...{ action: 'REVIEW', held_for_review: false, state_code: 'REV' },
        tolerance: { mode: 'PCT', tolerance_pct: 5, tolerance_abs: null, auto_approve: true, source: 'proveedor' },
        ...{ declared_by: '300', declared_at: '2026-08-31T12:00:00.000Z', request_id: 'r-1' },
      },
    },
  ]);
});

it('the event of an imported declaration has no state, because the import sets the state', () => {
  const [event] = readEvents(buildRevisionRecord({ declaredBy: 'import', notes: null, taxPct: null }));
  expect(event?.detail).toMatchObject({ state_code: null });
});

it('the event of a change of state has both states, the author, the time and the reason', () => {
  expect(readEvents(buildOperatorRecord())).toEqual([
    {
      type: 'InvoiceStateChanged',
      time: '2026-09-01T09:30:00.000Z',
      detail: {
        ...{ version: 1, event_id: 'InvoiceStateChanged:portal.example:200:9001:4:2026-09-01T09:30:00.000Z' },
        ...{ tenant: 'portal.example', supplier_id: '200', invoice_id: '9001', invoice_version: 4 },
        ...{ from_state: 'APR', to_state: 'LIQ', reason: 'paid', changed_by: 'carol' },
        ...{ from_system_amount: null, to_system_amount: null },
        ...{ message: null, approved_amount: null, paid_on: null, payment_reference: null },
        changed_at: '2026-09-01T09:30:00.000Z',
      },
    },
  ]);
});

it('the event of a change of the system amount has both amounts and equal states', () => {
  const amounts = [decimal('55116.79'), decimal('99999.99')].map(
    (systemAmount) => ({ state: 'APR', systemAmount }) as const,
  );
  expect(readEvents(buildOperatorRecord([amounts[0]!, amounts[1]!]))).toMatchObject([
    {
      type: 'InvoiceStateChanged',
      detail: { from_state: 'APR', to_state: 'APR', from_system_amount: 55_116.79, to_system_amount: 99_999.99 },
    },
  ]);
});

it.each([
  ['InvoiceWithdrawn', [{}, { isWithdrawn: true }]],
  ['InvoiceRestored', [{ isWithdrawn: true }, { isWithdrawn: false }]],
] as const)('the withdrawal or restore of an invoice has the event %s', (type, states) => {
  expect(readEvents(buildOperatorRecord(states))).toMatchObject([
    { type, detail: { event_id: expect.stringContaining(`${type}:portal.example:200:9001:4:`), from_state: 'PEN' } },
  ]);
});

it('an import that declares an amount and changes the state has two events with different ids', () => {
  const revision = buildRevision({ declaredBy: 'import' });
  const events = readEvents(buildOperatorRecord([{ state: 'PEN' }, { state: 'APR' }], { revision }));
  expect(events.map(({ type }) => type)).toEqual(['InvoiceDeclared', 'InvoiceStateChanged']);
  expect(new Set(events.map(({ detail }) => detail.event_id)).size).toBe(2);
});

it.each<[string, StreamRecord]>([
  ['a change of other fields', buildOperatorRecord([{ city: null }, { city: 'Salta' }])],
  ['an item that was changed', { ...buildRevisionRecord(), eventName: 'MODIFY' }],
  ['an item that was removed', { eventName: 'REMOVE', dynamodb: {} }],
])('%s has no event', (_, record) => {
  expect(readEvents(record)).toEqual([]);
});

it.each([
  ['an item without a kind and a time', { pk: 'portal.example#200#9001', sk: 1, notes: 'no amount' }],
  ['a declaration without a time', { ...buildDeclaredItem(), changed_at: null }],
  ['a declaration without an outcome', { ...buildDeclaredItem(), declaration: { declared_amount: 1 } }],
])('readStreamEvents throws for an item that cannot be read: %s', (_, item) => {
  expect(() => readStreamEvents(buildStreamRecord(item))).toThrow();
});
