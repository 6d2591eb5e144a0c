import { describe, expect, it } from 'vitest';
import { toBatchResult } from '../../../lib/contracts/wire.ts';
import { validationError } from '../../../lib/domain/errors.ts';
import { effectiveTolerance } from '../../../lib/domain/tolerance.ts';
import { declareBatch } from '../../../lib/endpoints/declare-batch.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';
import { aStore } from '../../support/fakes/memory-store.ts';
import { aRequest } from '../../support/service/request-state.ts';

const tolerance = effectiveTolerance(null, null);

const aBatch = (...ids: string[]) =>
  aRequest({
    caller: { userId: '77', scope: { tenant: 'a.example', supplierId: '9' }, tolerance },
    input: { declarations: ids.map((id) => ({ invoice_id: id, amount: 1 })) },
  });

describe('a batch', () => {
  it('logs the cause of each item that the service has failed to write, and of no other', async () => {
    const cause = new Error('no table');
    const invoices = [anInvoice({ invoiceId: '1' }), anInvoice({ invoiceId: '2', state: 'LIQ' })];
    const { store } = aStore(invoices, () => Promise.reject(cause));
    const request = aBatch('1', '2', '3');
    const logged: unknown[] = [];
    request.logger.error = (message, attributes) => logged.push([message, attributes]);
    expect(await declareBatch(store)(request)).toMatchObject({
      data: { results: ['1', '2', '3'].map((id) => ({ invoice_id: id, success: false })), accepted: 0, rejected: 3 },
      itemErrors: [{ code: 'INTERNAL_ERROR' }, { code: 'VALIDATION_ERROR' }, { code: 'NOT_FOUND' }],
    });
    expect(logged).toEqual([['declaration', { error: cause }]]);
  });

  it('says in the message of an item all that is wrong with it', () => {
    const both = (text: string) => ({ en: text, es: `${text} (es)` });
    const error = validationError([
      { property: 'amount', constraints: { one: both('is wrong'), other: both('is late') } },
      { property: 'notes', constraints: { one: both('are long') } },
    ]);
    expect(toBatchResult('7', { kind: 'rejected', error }, 'en')).toEqual({
      invoice_id: '7',
      success: false,
      error: { code: 'VALIDATION_ERROR', message: 'amount: is wrong, is late; notes: are long' },
    });
  });
});
