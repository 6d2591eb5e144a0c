import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { buildEventsDocument } from '../../../infra/openapi/document.ts';
import { eventsFile } from '../../../infra/openapi/published-documents.ts';
import { EVENT_SOURCE } from '../../../lib/contracts/events.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { readStreamEvent, type StreamRecord } from '../../../lib/events/publish-records.ts';
import { declaredItems, revisionRecord, stateRecord, streamRecord } from '../../support/data/stream-records.ts';

const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(buildEventsDocument());
const faultsOf = (record: StreamRecord) => {
  const { type, detail } = readStreamEvent(record)!;
  isValid(JSON.parse(JSON.stringify({ source: EVENT_SOURCE, 'detail-type': type, detail })));
  return isValid.errors ?? [];
};

describe('the event of a revision', () => {
  it('has the names of the interface, exact amounts, the rule that was applied, and an id made of its key', () => {
    expect(readStreamEvent(revisionRecord())).toEqual({
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

  it('names no state when it came with an import, which sets the state itself', () => {
    expect(readStreamEvent(revisionRecord({ declaredBy: 'import' }))?.detail).toMatchObject({ state_code: null });
  });
});

it('the event of a change of state has both states, who, when and why', () => {
  expect(readStreamEvent(stateRecord())).toEqual({
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
  expect(readStreamEvent(stateRecord({ to: 'APR', ...amounts }))?.detail).toMatchObject({
    ...{ from_state: 'APR', to_state: 'APR', from_system_amount: 55_116.79, to_system_amount: 99_999.99 },
  });
});

it('the event of an entry that version 1.0.0 wrote, without amounts, has the amounts null', () => {
  const old = stateRecord();
  delete old.dynamodb?.NewImage?.['from_system_amount'];
  delete old.dynamodb?.NewImage?.['to_system_amount'];
  expect(readStreamEvent(old)?.detail).toMatchObject({ from_system_amount: null, to_system_amount: null });
});

it.each([
  ['a revision', revisionRecord()],
  ['an imported revision', revisionRecord({ declaredBy: 'import', notes: null, taxPct: null })],
  ['a change of state', stateRecord()],
  ['a change of state without a reason', stateRecord({ reason: null })],
  ['a change of a fixed amount', stateRecord({ fromSystemAmount: decimal(1), toSystemAmount: decimal('2.5') })],
])('the event of %s keeps to the published schema', (_, record) => {
  expect(faultsOf(record)).toEqual([]);
});

it('the published schemas are those of the contract', () => {
  expect(JSON.parse(readFileSync(eventsFile, 'utf8'))).toEqual(JSON.parse(JSON.stringify(buildEventsDocument())));
});

const { pk: _, ...revision } = declaredItems()[1]!;
it.each<[string, StreamRecord]>([
  ['an entry of the log', streamRecord(declaredItems()[0]!)],
  ['an entry of the log, whatever it holds', streamRecord({ ...revision, pk: 'LOG#portal.example#3' })],
  ['an invoice', streamRecord({ pk: 'portal.example#200', sk: '9001' })],
  ['a row of a list', streamRecord({ pk: 'portal.example#200#2026-08', sk: 'D#2026-08-31#9001' })],
  ['a changed entry', { ...revisionRecord(), eventName: 'MODIFY' }],
  ['a removed entry', { eventName: 'REMOVE', dynamodb: {} }],
])('%s has no event', (__, record) => {
  expect(readStreamEvent(record)).toBeUndefined();
});

it.each([
  ['a revision without an amount', { pk: 'portal.example#200#9001', sk: 1, notes: 'no amount' }],
  ['a revision without a time', { ...declaredItems()[1], declared_at: null }],
  ['a change of state without content', { pk: 'portal.example#200', sk: 'STATE#9001#0000000004' }],
])('an entry that cannot be read throws, and is no event: %s', (__, item) => {
  expect(() => readStreamEvent(streamRecord(item))).toThrow();
});
