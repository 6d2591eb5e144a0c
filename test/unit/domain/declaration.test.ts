import { describe, expect, it } from 'vitest';
import { declareAmount, type DeclarationRequest } from '../../../lib/domain/declaration.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { decimal } from '../../../lib/domain/money.ts';
import type { Tolerance } from '../../../lib/domain/tolerance.ts';
import { anInvoice as seededInvoice } from '../../support/data/seed-invoices.ts';

const tolerance: Tolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true, source: 'proveedor' };
let ids = 9000;
const context = {
  tolerance,
  userId: '77',
  requestId: 'request-1',
  now: new Date('2026-07-02T08:00:00.000Z'),
  newDeclarationId: () => `${++ids}`,
};

/** An invoice of 100 that nobody has declared yet. */
function anInvoice(overrides: Partial<Invoice> = {}): Invoice {
  return seededInvoice({ invoiceId: '1001', systemAmount: decimal(100), ...overrides });
}

function declare(invoice: Invoice, request: Omit<DeclarationRequest, 'invoiceId'>) {
  return declareAmount(invoice, { invoiceId: invoice.invoiceId, ...request }, context);
}

const everything = { notes: 'two trips', invoiceNumber: 'F-1', invoiceDate: '2026-07-01', taxPct: 21 };

describe('the first declaration', () => {
  it('becomes the current one of the invoice, with a new id and revision 1 [declare-invoice/upsert]', () => {
    const { invoice } = declare(anInvoice(), { amount: 104, ...everything });
    expect(invoice.declaration).toEqual({
      declarationId: expect.stringMatching(/^9\d{3}$/),
      revision: 1,
      amount: decimal(104),
      notes: 'two trips',
      taxPct: decimal(21),
    });
    expect(invoice.providerInvoice).toEqual({ number: 'F-1', date: '2026-07-01' });
  });

  it('leaves null what was not sent', () => {
    const { invoice } = declare(anInvoice(), { amount: 104 });
    expect(invoice.declaration).toMatchObject({ notes: null, taxPct: null });
    expect(invoice.providerInvoice).toEqual({ number: null, date: null });
  });

  it('records who declared what, when, in which request, and under which tolerance', () => {
    const { invoice, revision } = declare(anInvoice(), { amount: 104 });
    expect(revision).toEqual({
      ...invoice.declaration,
      invoiceId: '1001',
      providerInvoice: invoice.providerInvoice,
      systemAmount: decimal(100),
      outcome: {
        withinTolerance: true,
        difference: decimal(4),
        differencePct: decimal(4),
        differenceAbs: decimal(4),
        action: 'AUTO_APPROVE',
        source: 'proveedor',
      },
      tolerance,
      heldForReview: false,
      declaredBy: '77',
      declaredAt: '2026-07-02T08:00:00.000Z',
      requestId: 'request-1',
    });
  });
});

describe('a second declaration', () => {
  const first = declare(anInvoice(), { amount: 104, ...everything }).invoice;

  it('keeps the id, counts the revision and the version up, and replaces the amount [declare-invoice/upsert]', () => {
    const { invoice } = declare(first, { amount: 101 });
    expect(invoice.declaration).toMatchObject({
      declarationId: first.declaration?.declarationId,
      revision: 2,
      amount: decimal(101),
    });
    expect(invoice.version).toBe(first.version + 1);
  });

  it('keeps what it does not send [declare-invoice/upsert]', () => {
    const { invoice } = declare(first, { amount: 101 });
    expect(invoice.declaration).toMatchObject({ notes: 'two trips', taxPct: decimal(21) });
    expect(invoice.providerInvoice).toEqual({ number: 'F-1', date: '2026-07-01' });
  });

  it('replaces what it sends, a zero included [declare-invoice/upsert]', () => {
    const { invoice } = declare(first, {
      amount: 0,
      notes: 'one trip',
      invoiceNumber: 'F-2',
      invoiceDate: '2026-07-02',
      taxPct: 0,
    });
    expect(invoice.declaration).toMatchObject({
      amount: decimal(0),
      notes: 'one trip',
      taxPct: decimal(0),
    });
    expect(invoice.providerInvoice).toEqual({ number: 'F-2', date: '2026-07-02' });
  });
});

describe('a declaration that clears', () => {
  const cleared = { notes: null, invoiceNumber: null, invoiceDate: null };
  const first = declare(anInvoice(), { amount: 104, ...everything }).invoice;

  it.each(['notes', 'invoiceNumber', 'invoiceDate'] as const)('%s leaves the others as they are', (field) => {
    const { invoice } = declare(first, { amount: 104, [field]: null });
    const { declaration, providerInvoice } = invoice;
    const values = {
      notes: declaration?.notes,
      invoiceNumber: providerInvoice.number,
      invoiceDate: providerInvoice.date,
    };
    const { taxPct: _taxPct, ...texts } = everything;
    expect(values).toEqual({ ...texts, [field]: null });
    expect(declaration?.taxPct).toEqual(decimal(21));
  });

  it('what is clear changes nothing', () => {
    const { invoice } = declare(first, { amount: 104, ...cleared });
    expect(declare(invoice, { amount: 104, ...cleared }).revision).toBeNull();
  });
});

describe('the state', () => {
  it.each([
    [105, 'APR'],
    [105.01, 'REV'],
  ])('after declaring %d of 100 within 5 percent is %s [states/declaration]', (amount, state) => {
    expect(declare(anInvoice(), { amount }).invoice.state).toBe(state);
  });

  it.each(STATE_CODES.filter((code) => code !== 'LIQ'))('%s allows a declaration', (state) => {
    const isDecided = state === 'REC' || state === 'AJU';
    expect(declare(anInvoice({ state }), { amount: 100 }).invoice.state).toBe(isDecided ? 'REV' : 'APR');
  });

  it('LIQ refuses a declaration: VALIDATION_ERROR on invoice_id, constraint state', () => {
    expect(() => declare(anInvoice({ state: 'LIQ' }), { amount: 100 })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [
          {
            property: 'invoice_id',
            constraints: { state: expect.objectContaining({ en: 'a settled invoice (LIQ) cannot be declared' }) },
          },
        ],
      }),
    );
  });
});

it('declares the amount without the noise of binary arithmetic', () => {
  const { invoice, outcome } = declare(anInvoice({ systemAmount: decimal('0.3') }), { amount: 0.1 + 0.2 });
  expect(invoice.declaration?.amount.toFixed()).toBe('0.3');
  expect(outcome.difference.toFixed()).toBe('0');
});
