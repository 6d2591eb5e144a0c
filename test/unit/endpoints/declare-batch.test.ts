import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { declareInvoice } from '../../../lib/contracts/validators.generated.js';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { createDeclareBatchEndpoint } from '../../../lib/endpoints/declare-batch.ts';
import { createBatchItemReader } from '../../../lib/http/batch-items.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { createMemoryStore, type SendFault } from '../../support/fakes/memory-store.ts';
import { buildRequestState } from '../../support/service/request-state.ts';
import { proves } from '../../rules/proves.ts';

const tolerance = selectTolerance(null, null);
const invoices = [buildInvoice({ invoiceId: '1' }), buildInvoice({ invoiceId: '2', state: 'LIQ' })];

type Stored = ReturnType<typeof createMemoryStore>['stored'];

/** Declares items of a supplier that has the invoices 1 and 2 (settled). `beforeSend` can change the stored ones. */
async function declare(
  items: readonly { readonly invoice_id: string }[],
  beforeSend: (stored: Stored) => SendFault | undefined = () => undefined,
) {
  const { store, written, stored } = createMemoryStore(invoices, () => beforeSend(stored));
  const request = buildRequestState({
    caller: { userId: '77', scope: { tenant: 'a.example', supplierId: '9' }, tolerance },
    input: { declarations: items },
  });
  const logged: unknown[] = [];
  request.logger.error = (message, attributes) => logged.push([message, attributes]);
  const { data, itemErrors } = await createDeclareBatchEndpoint(store, createBatchItemReader(declareInvoice))(request);
  return { ...(data as { results: object[]; accepted: number; rejected: number }), itemErrors, logged, written };
}

const buildFailure = (invoice_id: string, details: readonly (readonly [string, Record<string, string>])[]) => ({
  invoice_id,
  success: false,
  error: {
    code: 'VALIDATION_ERROR',
    message: `Invalid request: ${details.map(([property]) => property).join(', ')}.`,
    details: details.map(([property, constraints]) => ({ property, constraints })),
  },
});

describe('declareBatch', () => {
  it('declareBatch rejects only the invalid items, and returns the path of each invalid property', async () => {
    proves('declare-batch/rule-1', 'error-envelope/always-details');
    const { results, accepted, rejected, written } = await declare([
      { invoice_id: 'x', amount: -1, notes: 7, tax_pct: 101 },
      { invoice_id: '1', amount: 1 },
      { invoice_id: '1' },
      {
        invoice_id: '1',
        amount: 1,
        notes: 'half \ud83d',
        invoice_number: `\ud83d${'x'.repeat(LIMITS.invoiceNumberLength)}`,
      },
      { invoice_id: '\ud83d', amount: 1 },
      { invoice_id: '1', amount: 1, notes: 'half \ud83d' },
      { invoice_id: '2', amount: 1 },
    ] as { invoice_id: string }[]);
    const buildDetail = (index: number, name: string, constraints: Record<string, string>) => {
      const path = `declarations[${index}].${name}`;
      const texts = Object.entries(constraints).map(([constraint, text]) => [constraint, `${path} ${text}`]);
      return [path, Object.fromEntries(texts) as Record<string, string>] as const;
    };
    const digits = { pattern: 'must hold digits only' };
    const unicode = { unicode: 'must be well-formed Unicode text' };
    expect(results).toEqual([
      buildFailure('x', [
        buildDetail(0, 'invoice_id', digits),
        buildDetail(0, 'amount', { minimum: 'must be >= 0' }),
        buildDetail(0, 'notes', { type: 'must be string' }),
        buildDetail(0, 'tax_pct', { maximum: 'must be <= 100' }),
      ]),
      expect.objectContaining({ invoice_id: '1', success: true, declared_amount: 1 }),
      buildFailure('1', [buildDetail(2, 'amount', { required: 'is required' })]),
      buildFailure('1', [
        buildDetail(3, 'notes', unicode),
        buildDetail(3, 'invoice_number', {
          ...unicode,
          maxLength: `must NOT have more than ${LIMITS.invoiceNumberLength} characters`,
        }),
      ]),
      buildFailure('\ufffd', [buildDetail(4, 'invoice_id', { ...unicode, ...digits })]),
      buildFailure('1', [buildDetail(5, 'notes', unicode)]),
      buildFailure('2', [['declarations[6].invoice_id', { state: 'a settled invoice (LIQ) cannot be declared' }]]),
    ]);
    expect([accepted, rejected, written.flat().map(({ after }) => after.invoiceId)]).toEqual([1, 6, ['1']]);
  });

  it('declareBatch returns less than the 6 MB of Lambda for a full batch with many broken texts under long names', async () => {
    const broken = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`${n}`, '\ud83d']));
    const items = Array.from({ length: LIMITS.batchItems }, () => ({ invoice_id: '1', ['€'.repeat(170)]: broken }));
    const { results, rejected } = await declare(items);
    expect([rejected, Buffer.byteLength(JSON.stringify(results)) < 6_000_000]).toEqual([LIMITS.batchItems, true]);
  });

  it('declareBatch logs the cause of each item that could not be written, and of no other item', async () => {
    const items = ['1', '2', '3', 'x'].map((id) => ({ invoice_id: id, amount: 1 }));
    const { results, itemErrors, logged } = await declare(items, () => 'fail');
    expect(results).toMatchObject(items.map(({ invoice_id }) => ({ invoice_id, success: false })));
    const codes = ['INTERNAL_ERROR', 'VALIDATION_ERROR', 'NOT_FOUND', 'VALIDATION_ERROR'];
    expect(itemErrors).toMatchObject(codes.map((code) => ({ code })));
    expect(logged).toEqual([['declaration', { error: new Error('socket hang up') }]]);
  });
});
