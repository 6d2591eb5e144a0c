import { describe, expect, it } from 'vitest';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { buildInvoice, changeInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredHistory, readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();

type Caller = Awaited<ReturnType<typeof createCaller>>;

async function createCaller(...invoices: readonly Invoice[]) {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, invoices);
  return { scope: account.scope, call };
}

const [visible, other] = [buildInvoice({ invoiceId: '1' }), buildInvoice({ invoiceId: '2' })];
const withdrawn = { ...visible, isWithdrawn: true };
const march = { startdate: '2026-03-01', enddate: '2026-03-31' };
const path = '/apidev/v1/supplier-portal/invoices/1';
const declaration = { invoice_id: '1', amount: 1000 };

describe('a withdrawn invoice', () => {
  it.each<[string, (caller: Caller) => Promise<{ readonly status: number; readonly body: unknown }>]>([
    ['a list', ({ call }) => call('list-invoices', { query: march })],
    ['a list of a state', ({ call }) => call('list-invoices', { query: { ...march, status: 'PEN' } })],
    ['a search', ({ call }) => call('list-invoices', { query: { ...march, search: 'cordoba' } })],
    ['a detail', ({ call }) => call('get-invoice', { path })],
    ['a validation', ({ call }) => call('validate-amount', { body: declaration })],
    ['a declaration', ({ call }) => call('declare-invoice', { body: declaration })],
    ['a batch', ({ call }) => call('declare-batch', { body: { declarations: [declaration] } })],
  ])(
    '%s has the same response for a withdrawn invoice as for an absent one, and writes nothing',
    async (_, request) => {
      const respond = async (caller: Caller) => {
        const { status, body } = await request(caller);
        return { status, body };
      };
      const caller = await createCaller(withdrawn, other);
      const response = await respond(caller);
      expect(response).toEqual(await respond(await createCaller(other)));
      expect(response).not.toEqual(await respond(await createCaller(visible, other)));
      expect((await readStoredInvoices(portal.engine, caller.scope)).get('1')).toMatchObject({ version: 1 });
    },
  );

  it.each([
    ['declare-invoice', declaration],
    ['declare-batch', { declarations: [declaration] }],
  ] as const)('%s returns NOT_FOUND if the company withdraws the invoice before the write', async (name, body) => {
    const { scope, call } = await createCaller(visible);
    const withdraw = () => changeInvoice(portal.engine, scope, '1', { isWithdrawn: true });
    portal.proxy.injectFault({ how: 'delay-request', operation: 'TransactWriteItems', times: 1, wait: withdraw });
    const response = await call(name, { body });
    const error = { code: 'NOT_FOUND', message: 'The invoice was not found.' };
    if (name === 'declare-invoice') expect([response.status, response.body.error]).toEqual([404, error]);
    else expect(response.body.data.results).toEqual([{ invoice_id: '1', success: false, error }]);
    expect(await readStoredHistory(portal.engine, scope, '1')).toMatchObject([{ kind: 'withdrawal', version: 2 }]);
  });
});
