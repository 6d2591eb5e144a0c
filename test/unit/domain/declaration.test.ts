import { describe, expect, it } from 'vitest';
import { declareAmount } from '../../../lib/domain/declaration.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { NO_NOTICE } from '../../../lib/domain/notice.ts';
import type { Tolerance } from '../../../lib/domain/tolerance.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { proves } from '../../rules/proves.ts';

const tolerance: Tolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true, source: 'proveedor' };
const now = new Date('2026-07-02T08:00:00.000Z');
const context = { tolerance, userId: '77', requestId: 'request-1', now, newDeclarationId: () => '9001' };
const invoice = buildInvoice({ invoiceId: '1001', systemAmount: decimal(100) });
const optionalFields = { notes: 'two trips', invoiceNumber: 'F-1', invoiceDate: '2026-07-01', taxPct: 21 };

describe('declareAmount', () => {
  it('returns the invoice with revision 1 under a new id, and a revision with user, time, request and tolerance', () => {
    proves('declare-invoice/upsert');
    const declared = declareAmount(invoice, { invoiceId: '1001', amount: 104, ...optionalFields }, context);
    const declaration = { declarationId: '9001', revision: 1, amount: decimal(104), notes: 'two trips' };
    const providerInvoice = { number: 'F-1', date: '2026-07-01' };
    const after = { declaration: { ...declaration, taxPct: decimal(21) }, providerInvoice, version: 2 };
    expect(declared.invoice).toMatchObject(after);
    expect(declared.revision).toEqual({
      ...after.declaration,
      ...{ invoiceId: '1001', providerInvoice, systemAmount: decimal(100) },
      outcome: {
        ...{ isWithinTolerance: true, action: 'AUTO_APPROVE', source: 'proveedor' },
        ...{ difference: decimal(4), differencePct: decimal(4), differenceAbs: decimal(4) },
      },
      ...{ tolerance, requiresManualReview: false },
      ...{ declaredBy: '77', declaredAt: now.toISOString(), requestId: 'request-1' },
    });
  });

  it('clears the notice, and never approves automatically after the company has approved an amount', () => {
    const notice = { ...NO_NOTICE, message: 'Without the night rate', approvedAmount: decimal(90) };
    const approved = { ...invoice, state: 'APR', notice } as const;
    const declared = declareAmount(approved, { invoiceId: '1001', amount: 101 }, context);
    expect(declared).toMatchObject({ invoice: { state: 'REV', notice: NO_NOTICE }, outcome: { action: 'REVIEW' } });
  });

  it('returns no revision if nothing changes, and a revision if only the state changes', () => {
    const request = { invoiceId: '1001', amount: 104 };
    const { invoice: approved } = declareAmount(invoice, request, context);
    expect(declareAmount(approved, request, context).revision).toBeNull();
    const sentBack = { ...approved, state: 'PEN' } as const;
    expect(declareAmount(sentBack, request, context)).toMatchObject({
      invoice: { state: 'APR' },
      revision: { revision: 2 },
    });
  });

  it('rejects the declaration of a settled invoice with VALIDATION_ERROR on invoice_id, constraint state', () => {
    const settled = { ...invoice, state: 'LIQ' } as const;
    const state = expect.objectContaining({ en: 'a settled invoice (LIQ) cannot be declared' });
    expect(() => declareAmount(settled, { invoiceId: '1001', amount: 100 }, context)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [{ property: 'invoice_id', constraints: { state } }],
      }),
    );
  });
});
