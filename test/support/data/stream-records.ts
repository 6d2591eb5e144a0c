import { marshall } from '@aws-sdk/util-dynamodb';
import type { StreamRecord } from '../../../lib/events/publish-records.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { evaluateTolerance } from '../../../lib/domain/tolerance.ts';
import { buildHistoryItem, type HistoryItem } from '../../../lib/tables/history-items.ts';
import { buildInvoice } from './seed-invoices.ts';

const tolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true, source: 'proveedor' } as const;
const scope = { tenant: 'portal.example', supplierId: '200' };

/** Builds a declaration of 1050.25 for an invoice of 1000.1. Its notes contain special characters. */
export function buildRevision(overrides: Partial<DeclarationRevision> = {}): DeclarationRevision {
  return {
    ...{ invoiceId: '9001', declarationId: '1795243070161803765', revision: 1 },
    ...{ amount: decimal('1050.25'), notes: '=1+1 "ñ" 😀\u0001', taxPct: decimal('10.5') },
    providerInvoice: { number: 'A-0001-00001234', date: null },
    systemAmount: decimal('1000.1'),
    outcome: evaluateTolerance(decimal('1050.25'), decimal('1000.1'), tolerance),
    tolerance,
    requiresManualReview: false,
    ...{ declaredBy: '300', declaredAt: '2026-08-31T12:00:00.000Z', requestId: 'r-1' },
    ...overrides,
  };
}

/** Builds the stream record of an item that was written. */
export function buildStreamRecord(item: object, SequenceNumber = '1'): StreamRecord {
  const NewImage = marshall(item);
  const { pk, sk } = NewImage;
  return { eventName: 'INSERT', dynamodb: { ...(pk && sk && { Keys: { pk, sk } }), NewImage, SequenceNumber } };
}

/** Builds the history item of a declaration by a supplier. The version of its invoice is the revision plus 1. */
export function buildDeclaredItem(overrides?: Partial<DeclarationRevision>): HistoryItem {
  const revision = buildRevision(overrides);
  const before = buildInvoice({ invoiceId: revision.invoiceId, version: revision.revision });
  const after = { ...before, version: before.version + 1, changedAt: revision.declaredAt };
  return buildHistoryItem(scope, { before, after, revision }, undefined) as HistoryItem;
}

export const buildRevisionRecord = (overrides?: Partial<DeclarationRevision>, sequenceNumber?: string) =>
  buildStreamRecord(buildDeclaredItem(overrides), sequenceNumber);

/** Builds the history item of a change of invoice 9001 by an operator: by default, from approved to settled. */
export function buildOperatorItem(
  [before, after]: readonly [Partial<Invoice>, Partial<Invoice>] = [{ state: 'APR' }, { state: 'LIQ' }],
  change: Partial<InvoiceChange> = {},
): HistoryItem {
  const invoice = buildInvoice({ invoiceId: '9001', version: 3, ...before });
  const author = { changedBy: 'carol', reason: 'paid' };
  const changed = { ...invoice, ...after, version: 4, changedAt: '2026-09-01T09:30:00.000Z' };
  return buildHistoryItem(scope, { before: invoice, after: changed, author, ...change }, 'command-1') as HistoryItem;
}
