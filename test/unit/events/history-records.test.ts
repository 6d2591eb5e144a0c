import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { buildEventsDocument } from '../../../infra/openapi/document.ts';
import { EVENT_SOURCE } from '../../../lib/contracts/events.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { readStreamEvent, type StreamRecord } from '../../../lib/events/publish-records.ts';
import {
  buildDeclaredItems,
  buildRevisionRecord,
  buildStateRecord,
  buildStreamRecord,
} from '../../support/data/stream-records.ts';

const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(buildEventsDocument());
const findErrors = (record: StreamRecord) => {
  const { type, detail } = readStreamEvent(record)!;
  isValid(JSON.parse(JSON.stringify({ source: EVENT_SOURCE, 'detail-type': type, detail })));
  return isValid.errors ?? [];
};

describe('readStreamEvent of a revision', () => {
  it('the event of a revision has the interface names, exact amounts, the tolerance, and an id built from its key', () => {
    expect(readStreamEvent(buildRevisionRecord())).toEqual({
      type: 'InvoiceDeclared',
      time: '2026-08-31T12:00:00.000Z',
      detail: {
        ...{ version: 1, event_id: 'InvoiceDeclared:portal.example:200:9001:1' },
        ...{ tenant: 'portal.example', supplier_id: '200', invoice_id: '9001' },
        ...{ declaration_id: '1795243070161803765', revision: 1 },
        ...{ declared_amount: 1050.25, declared_tax_pct: 10.5, declared_notes: '=1+1 "ñ" 😀\u0001' },
        ...{ provider_invoice_number: 'A-0001-00001234', provider_invoice_date: null },
        ...{ system_amount: 1000.1, within_tolerance: false, difference: 50.15, difference_pct: 5.0145 },
        ...{ action: 'REVIEW', held_for_review: false, state_code: 'REV' },
        tolerance: { mode: 'PCT', tolerance_pct: 5, tolerance_abs: null, auto_approve: true, source: 'proveedor' },
        ...{ declared_by: '300', declared_at: '2026-08-31T12:00:00.000Z', request_id: 'r-1' },
      },
    });
  });

  it('the event of an imported revision has no state, because the import sets the state', () => {
    expect(readStreamEvent(buildRevisionRecord({ declaredBy: 'import' }))?.detail).toMatchObject({ state_code: null });
  });
});

it('the event of a state change has both states, the user, the time and the reason', () => {
  expect(readStreamEvent(buildStateRecord())).toEqual({
    type: 'InvoiceStateChanged',
    time: '2026-09-01T09:30:00.000Z',
    detail: {
      ...{ version: 1, event_id: 'InvoiceStateChanged:portal.example:200:9001:4' },
      ...{ tenant: 'portal.example', supplier_id: '200', invoice_id: '9001', invoice_version: 4 },
      ...{ from_state: 'APR', to_state: 'LIQ', reason: 'paid', changed_by: 'carol' },
      ...{ from_system_amount: null, to_system_amount: null },
      changed_at: '2026-09-01T09:30:00.000Z',
    },
  });
});

it('the event of a forced change of a fixed amount has both amounts and equal states', () => {
  const amounts = { fromSystemAmount: decimal('55116.79'), toSystemAmount: decimal('99999.99') };
  expect(readStreamEvent(buildStateRecord({ to: 'APR', ...amounts }))?.detail).toMatchObject({
    ...{ from_state: 'APR', to_state: 'APR', from_system_amount: 55_116.79, to_system_amount: 99_999.99 },
  });
});

it('the event of an entry of version 1.0.0, which has no amounts, has null amounts', () => {
  const oldRecord = buildStateRecord();
  delete oldRecord.dynamodb?.NewImage?.['from_system_amount'];
  delete oldRecord.dynamodb?.NewImage?.['to_system_amount'];
  expect(readStreamEvent(oldRecord)?.detail).toMatchObject({ from_system_amount: null, to_system_amount: null });
});

it.each([
  ['a revision', buildRevisionRecord()],
  ['an imported revision', buildRevisionRecord({ declaredBy: 'import', notes: null, taxPct: null })],
  ['a change of state', buildStateRecord()],
  ['a change of state without a reason', buildStateRecord({ reason: null })],
  ['a change of a fixed amount', buildStateRecord({ fromSystemAmount: decimal(1), toSystemAmount: decimal('2.5') })],
])('the event of %s conforms to the published schema', (_, record) => {
  expect(findErrors(record)).toEqual([]);
});

const { pk: _, ...revision } = buildDeclaredItems()[1]!;
it.each<[string, StreamRecord]>([
  ['an entry of the log', buildStreamRecord(buildDeclaredItems()[0]!)],
  [
    'an entry of the log with the content of a revision',
    buildStreamRecord({ ...revision, pk: 'LOG#portal.example#3' }),
  ],
  ['an invoice', buildStreamRecord({ pk: 'portal.example#200', sk: '9001' })],
  ['a row of a list', buildStreamRecord({ pk: 'portal.example#200#2026-08', sk: 'D#2026-08-31#9001' })],
  ['a changed entry', { ...buildRevisionRecord(), eventName: 'MODIFY' }],
  ['a removed entry', { eventName: 'REMOVE', dynamodb: {} }],
])('%s has no event', (__, record) => {
  expect(readStreamEvent(record)).toBeUndefined();
});

it.each([
  ['a revision without an amount', { pk: 'portal.example#200#9001', sk: 1, notes: 'no amount' }],
  ['a revision without a time', { ...buildDeclaredItems()[1], declared_at: null }],
  ['a change of state without content', { pk: 'portal.example#200', sk: 'STATE#9001#0000000004' }],
])('readStreamEvent throws for an entry that cannot be read: %s', (__, item) => {
  expect(() => readStreamEvent(buildStreamRecord(item))).toThrow();
});
