import { marshall } from '@aws-sdk/util-dynamodb';
import type { StreamRecord } from '../../../lib/events/publish-records.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { StateChange } from '../../../lib/domain/invoice-state-change.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { evaluateTolerance } from '../../../lib/domain/tolerance.ts';
import { buildDeclarationItems, fromStateChange } from '../../../lib/tables/history-items.ts';

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

/** Builds the state change of invoice 9001 to settled (LIQ) by an operator. */
export function buildStateChange(overrides: Partial<StateChange> = {}): StateChange {
  return {
    ...{ invoiceId: '9001', version: 4, kind: 'changed', from: 'APR', to: 'LIQ', reason: 'paid' },
    ...{ fromSystemAmount: null, toSystemAmount: null },
    ...{ changedBy: 'carol', changedAt: '2026-09-01T09:30:00.000Z' },
    ...overrides,
  };
}

/** Builds the stream record of an item that was written. */
export function buildStreamRecord(item: object, SequenceNumber = '1'): StreamRecord {
  const NewImage = marshall(item);
  const { pk, sk } = NewImage;
  return { eventName: 'INSERT', dynamodb: { ...(pk && sk && { Keys: { pk, sk } }), NewImage, SequenceNumber } };
}

/** Builds the items that a transaction adds to Declarations: a log entry and a revision. */
export const buildDeclaredItems = (overrides?: Partial<DeclarationRevision>) =>
  buildDeclarationItems(scope, [buildRevision(overrides)], { shard: 3, number: 17 });

export const buildRevisionRecord = (overrides?: Partial<DeclarationRevision>, sequenceNumber?: string) =>
  buildStreamRecord(buildDeclaredItems(overrides)[1]!, sequenceNumber);

export const buildStateRecord = (overrides?: Partial<StateChange>, sequenceNumber?: string) =>
  buildStreamRecord(fromStateChange(scope, buildStateChange(overrides)), sequenceNumber);
