import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeclarationRevision } from '../../lib/domain/declaration.ts';
import {
  type Author,
  CHANGE_KINDS,
  describeStateChange,
  getChangeKind,
  type InvoiceChange,
} from '../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';
import { decimal } from '../../lib/domain/money.ts';
import { isSameNotice, NO_NOTICE } from '../../lib/domain/notice.ts';
import { evaluateTolerance, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../lib/domain/tolerance.ts';
import {
  buildHistoryItem,
  type HistoryItem,
  toDetailedChange,
  toRecordedChange,
} from '../../lib/tables/history-items.ts';
import { fromInvoice } from '../../lib/tables/invoice-items.ts';
import type { Attributes } from '../../lib/tables/dynamodb/reads.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const NO_DECLARATION = { declaration: null, declaredOutcome: null, requiresManualReview: false };

const amount = fc
  .tuple(fc.integer({ min: 0, max: 999_999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, millionths]) => decimal(`${whole}.${millionths.toString().padStart(6, '0')}`));
const text = fc.option(fc.string());

/** Generates two versions of an invoice. Each field has few values, so that many fields are equal. */
const fields = fc.record({
  city: fc.constantFrom(null, 'Salta'),
  sortDate: fc.constantFrom('2026-03-15T10:30:00.000Z', '2026-04-15T10:30:00.000Z'),
  systemAmount: fc.oneof(fc.constant(decimal(0)), fc.constant(decimal(0)), amount),
  state: fc.constantFrom('PEN', 'REV'),
  isWithdrawn: fc.boolean(),
  notice: fc.oneof(
    { weight: 5, arbitrary: fc.constant(NO_NOTICE) },
    fc.record({
      message: fc.constantFrom(null, 'Falta el remito'),
      approvedAmount: fc.option(amount),
      paidOn: fc.constantFrom(null, '2026-09-03'),
      paymentReference: fc.constantFrom(null, 'TRF-1'),
    }),
  ),
  providerInvoice: fc.record({ number: fc.constantFrom(null, 'F-1'), date: fc.constantFrom(null, '2026-03-20') }),
  concepts: fc.constantFrom([], buildInvoice().concepts),
});
const invoiceId = fc.constantFrom('1', '0', '7', '99999999999999999999');
const changedAt = fc.date({ noInvalidDate: true, max: new Date('9999-12-31') }).map((date) => date.toISOString());
const invoices = fc.record({
  id: invoiceId,
  before: fc.option(fields),
  after: fields,
  version: fc.integer({ min: 1 }),
  changedAt,
});

const declarations = fc.record({
  declarationId: fc.string(),
  revision: fc.integer({ min: 1 }),
  amount,
  notes: text,
  taxPct: fc.option(amount),
  declaredBy: fc.string({ minLength: 1 }),
  providerInvoice: fc.record({ number: text, date: text }),
  systemAmount: fc.oneof(amount, fc.constant(decimal(0))),
  tolerance: fc.record({
    mode: fc.option(fc.constantFrom(...TOLERANCE_MODES)),
    pct: fc.option(fc.oneof(amount, fc.constant(decimal(0)))),
    abs: fc.option(amount),
    autoApprove: fc.boolean(),
    source: fc.constantFrom(...TOLERANCE_SOURCES),
  }),
  requiresManualReview: fc.boolean(),
  requestId: fc.string({ minLength: 1 }),
});
const author = fc.record({ changedBy: fc.string({ minLength: 1 }), reason: fc.option(fc.string({ minLength: 1 })) });

/** Generates changes: of a supplier (without an author), or of a command, which can also declare an amount. */
const changes = fc
  .record({ invoice: invoices, declared: fc.option(declarations), author: fc.option(author) })
  .map(({ invoice: { id, version, ...invoice }, declared, ...change }): InvoiceChange => {
    const complete = { ...buildInvoice({ invoiceId: id, ...NO_DECLARATION }) };
    const before = invoice.before && { ...complete, ...invoice.before, version };
    const after = { ...complete, ...invoice.after, version: version + 1, changedAt: invoice.changedAt };
    const revision = declared && buildRevision(after, declared);
    return { before, after, revision: revision ?? undefined, author: change.author ?? undefined };
  })
  // Only a declaration, a change of an invoice that exists, or a new invoice with a notice has an item.
  .filter(({ before, after, revision, author: changedBy }) => {
    const isRecorded = before !== null || !isSameNotice(after.notice, NO_NOTICE);
    return Boolean(revision) || (isRecorded && changedBy !== undefined);
  });

type Declared = typeof declarations extends fc.Arbitrary<infer Value> ? Value : never;

function buildRevision(after: Invoice, declared: Declared): DeclarationRevision {
  const outcome = evaluateTolerance(declared.amount, declared.systemAmount, declared.tolerance);
  return { ...declared, outcome, invoiceId: after.invoiceId, declaredAt: after.changedAt };
}

/** Writes and reads the item of a change. */
function storeChange(change: InvoiceChange, commandId?: string): HistoryItem {
  const item = buildHistoryItem(scope, change, commandId);
  if (!item) throw new Error('The change has no item.');
  return unmarshall(marshall(item), { wrapNumbers: true }) as HistoryItem;
}

/** Lists the values of an item that do not follow from others. Null is the value of an absent attribute. */
function listValues(item: object): Attributes {
  const derived = new Set(['version', 'changed_ms', 'search_text']);
  return Object.fromEntries(Object.entries(item).filter(([name, value]) => value !== null && !derived.has(name)));
}

it('a change is read from its history as it was written, with all digits', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(changes, fc.option(fc.uuid(), { nil: undefined }), (change, commandId) => {
      const { before, after, revision, author: by } = change;
      const item = storeChange(change, commandId);
      kinds.add(item.kind);
      const writer: Author = by ?? { changedBy: revision?.declaredBy ?? '', reason: null };
      expect(toRecordedChange(item)).toEqual({
        ...{ scope, invoiceId: after.invoiceId, version: after.version, changedAt: after.changedAt, ...writer },
        ...{ requestId: revision?.requestId ?? null, commandId: commandId ?? null, revision: revision ?? null },
        kind: getChangeKind(before, after, revision),
        stateChange: before && by ? describeStateChange(before, after) : null,
        previousState: before && !by ? before.state : null,
        notice: by ? after.notice : NO_NOTICE,
      });
    }),
    { numRuns: 1_000 },
  );
  expect([...kinds].toSorted()).toEqual([...CHANGE_KINDS].toSorted());
});

it('only the item of a command has old values, and these restore all attributes of the invoice before the change', () => {
  fc.assert(
    fc.property(changes, (change) => {
      const { before, after, author: by } = change;
      const { old_values: oldValues } = storeChange(change);
      expect(oldValues !== undefined).toBe(before !== null && by !== undefined);
      if (!before || !oldValues) return;
      const restored = listValues({ ...fromInvoice(scope, after), ...oldValues });
      expect(restored).toEqual(listValues(fromInvoice(scope, before)));
      // An attribute that has not changed has no old value.
      const newValues: Attributes = fromInvoice(scope, after);
      for (const [name, value] of Object.entries(oldValues)) expect(value).not.toEqual(newValues[name] ?? null);
    }),
    { numRuns: 1_000 },
  );
});

it('the new values of a change contain its declaration, its new state and amount, and the new number of the supplier', () => {
  fc.assert(
    fc.property(changes, (change) => {
      const { before, after, revision, author: by } = change;
      const { newValues, stateChange } = toDetailedChange(storeChange(change));
      if (stateChange) expect(newValues).toMatchObject({ state_code: after.state });
      if (stateChange?.toSystemAmount)
        expect(newValues['system_amount']).toEqual(fromInvoice(scope, after)['system_amount']);
      const { number, date } = after.providerInvoice;
      const isChanged = before?.providerInvoice.number !== number || before.providerInvoice.date !== date;
      if (revision) expect(newValues).toMatchObject({ declaration_revision: expect.anything() });
      else if (before && by && isChanged)
        expect(newValues).toMatchObject({ provider_invoice_number: number, provider_invoice_date: date });
      else expect(newValues).not.toHaveProperty('provider_invoice_number');
    }),
    { numRuns: 1_000 },
  );
});

it('the creation of an invoice without a declaration has no item', () => {
  expect(buildHistoryItem(scope, { before: null, after: buildInvoice() }, 'command')).toBeNull();
});
