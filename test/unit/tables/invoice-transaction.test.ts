import {
  type CancellationReason,
  DynamoDBServiceException,
  TransactionCanceledException,
  type TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { withState } from '../../../lib/domain/invoice-change.ts';
import { DeadlineError, runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { toAttributeValues } from '../../../lib/tables/dynamodb/values.ts';
import { fromInvoice } from '../../../lib/tables/invoice-items.ts';
import { createDeclarationStore } from '../../../lib/tables/invoice-transaction.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { buildRevision } from '../../support/data/stream-records.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const before = buildInvoice({ invoiceId: '1' });
const after = withState(before, 'APR', new Date());
const current = { ...before, version: 7 };
const change = { before, after, revision: buildRevision({ invoiceId: '1' }) };

/** Builds the error of a cancelled transaction, with the reasons of the invoice and of the item of its history. */
function cancel(attempts: number, invoice: CancellationReason = {}, history: CancellationReason = {}) {
  const CancellationReasons = [invoice, history].map((reason) => ({ Code: 'None', ...reason }));
  return new TransactionCanceledException({ message: 'cancelled', $metadata: { attempts }, CancellationReasons });
}

const conflict = { Code: 'TransactionConflict' };
const changed = (invoice = current) => ({
  Code: 'ConditionalCheckFailed',
  Item: toAttributeValues(fromInvoice(scope, invoice)),
});
const erased = { Code: 'ConditionalCheckFailed' };
const invalid = new DynamoDBServiceException({
  ...{ name: 'ValidationException', $fault: 'client', $metadata: {}, message: 'invalid' },
});
const noResponse = new Error('socket hang up');
const replan = (...entries: readonly (readonly [string, unknown])[]) => ({ kind: 'replan', current: new Map(entries) });

describe('a transaction of the declaration store', () => {
  it.each<[string, responses: readonly (Error | null)[], outcome: object]>([
    ['without an error is committed', [null], { kind: 'committed' }],
    ['with a conflict is planned again', [cancel(1, conflict)], replan()],
    ['whose invoice has changed is planned again', [cancel(1, changed())], replan(['1', current])],
    [
      'whose invoice is withdrawn is planned again',
      [cancel(1, changed({ ...current, isWithdrawn: true }))],
      replan(['1', null]),
    ],
    ['whose invoice is erased is planned again', [cancel(1, erased)], replan(['1', null])],
    ['whose item of the history exists is planned again', [cancel(1, {}, erased)], replan()],
    [
      'with a conflict after a lost call is sent again, until it is confirmed',
      [cancel(2, conflict), cancel(1, conflict), null],
      { kind: 'committed' },
    ],
    [
      'whose invoice has changed after a lost call is planned again, because the lost call was not written',
      [cancel(2, conflict), cancel(1, changed())],
      replan(['1', current]),
    ],
    [
      'with a changed invoice and a conflict after a lost call is planned again',
      [cancel(2, conflict), cancel(1, changed(), conflict)],
      replan(['1', current]),
    ],
    ['with invalid content is rejected', [invalid], { kind: 'reject', cause: invalid }],
    ['with a throttled table is planned again', [cancel(1, { Code: 'ThrottlingError' }, conflict)], replan()],
    ['with a throttled item is planned again', [cancel(1, { Code: 'ProvisionedThroughputExceeded' })], replan()],
    [
      'with a conflict and invalid content is rejected',
      [cancel(1, conflict, { Code: 'ValidationError' })],
      { kind: 'reject' },
    ],
    ['that is cancelled without a reason is rejected', [cancel(1)], { kind: 'reject' }],
    ['with an item that is too large is rejected', [cancel(1, { Code: 'ValidationError' })], { kind: 'reject' }],
    [
      'with invalid content after a lost call has an unknown outcome',
      [cancel(2, conflict), invalid],
      { kind: 'unknown', cause: invalid },
    ],
    [
      'that is not sent before the deadline is rejected',
      [new DeadlineError({ hasCallBegun: false })],
      { kind: 'reject' },
    ],
    [
      'that the deadline aborts has an unknown outcome',
      [new DeadlineError({ hasCallBegun: true })],
      { kind: 'unknown' },
    ],
    [
      'that is not sent again before the deadline has an unknown outcome',
      [cancel(2, conflict), new DeadlineError({ hasCallBegun: false })],
      { kind: 'unknown' },
    ],
    ['without a response has an unknown outcome', [noResponse], { kind: 'unknown', cause: noResponse }],
  ])('a transaction %s', async (_, responses, outcome) => {
    const tokens = new Set<string | undefined>();
    const remaining = [...responses];
    const client = {
      async send({ input }: TransactWriteItemsCommand) {
        tokens.add(input.ClientRequestToken);
        const error = remaining.shift();
        if (error) throw error;
      },
    };
    const { commit } = createDeclarationStore(client, { invoices: 'Invoices', declarations: 'Declarations' });
    expect(await commit(scope, [change])).toMatchObject(outcome);
    expect(remaining, 'all responses were received').toEqual([]);
    expect(tokens.size, 'all attempts have the same token').toBe(1);
  });

  it('a transaction whose calls are lost and conflict until the deadline has an unknown outcome', async () => {
    const client = { send: () => Promise.reject(cancel(2, conflict)) };
    const { commit } = createDeclarationStore(client, { invoices: 'Invoices', declarations: 'Declarations' });
    // A second of the remaining time is reserved for the response.
    const endMs = performance.now() + 1_100;
    const outcome = await runWithinDeadline(
      () => endMs - performance.now(),
      () => commit(scope, [change]),
    );
    expect(outcome).toMatchObject({ kind: 'unknown', cause: { name: 'DeadlineError', hasCallBegun: true } });
  });
});
