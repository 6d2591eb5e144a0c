import { expect, it } from 'vitest';
import type { AccountOverrides } from '../../support/data/seed.ts';
import { changeRecord, newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import type { CurrentName } from '../../support/service/handlers.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();

const march = { startdate: '2026-03-01', enddate: '2026-03-31' };
const path = '/apidev/v1/supplier-portal/invoices/1';
const declaration = { invoice_id: '1', amount: 1000 };

/** Creates a caller with the invoice 1. After its first request, the process has read the signing keys. */
async function createCaller(overrides?: AccountOverrides) {
  const caller = await portal.newCaller(overrides);
  await seedInvoices(portal.engine, caller.account.scope, [buildInvoice({ invoiceId: '1' })]);
  await caller.call('validate-amount', { body: declaration });
  portal.proxy.reset();
  return caller;
}

it.each<[CurrentName, TestRequest, reads: string]>([
  ['get-invoice', { path }, 'GetItem'],
  ['validate-amount', { body: declaration }, 'GetItem'],
  ['list-invoices', { query: march }, 'Query Query'],
  ['list-invoices', { query: { ...march, search: 'nothing' } }, 'Query'],
  ['list-invoices', { query: { ...march, limit: 100, offset: 1 } }, 'Query'],
  ['declare-invoice', { body: declaration }, 'BatchGetItem'],
  ['declare-batch', { body: { declarations: [declaration] } }, ''],
  ['list-invoices', { query: { ...march, limit: 101 } }, ''],
  ['get-invoice', { path: `${path}A` }, ''],
])('the prefetch of a rejected %s %j makes only these reads: %s', async (name, request, reads) => {
  const { account, call } = await createCaller();
  // The first call of a function also reads the signing keys, and returns after all reads.
  await call(name, request);
  portal.proxy.reset();
  await changeRecord(portal.engine, account.keys.user, { active: false });
  expect((await call(name, request)).status).toBe(401);
  await portal.proxy.waitUntilIdle(100);
  const operations = portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices'));
  expect(operations.map(({ operation }) => operation).join(' ')).toBe(reads);
  expect(portal.proxy.calls).toHaveLength(operations.length + 2);
});

it('a request with an API key that the process has not seen valid does not prefetch if the key is not valid', async () => {
  const { call } = await createCaller();
  expect((await call('get-invoice', { path, headers: { 'x-api-key': crypto.randomUUID() } })).status).toBe(401);
  await portal.proxy.waitUntilIdle(100);
  expect(portal.proxy.calls.map(({ tables }) => tables)).not.toContainEqual(['Invoices']);
});

it('a process that knows that the limit is reached does not prefetch', async () => {
  const { call } = await createCaller();
  const declare = () => call('declare-invoice', { body: declaration });
  for (let count = 0; count < 11; count++) await declare();
  // The rejected request does not wait for its prefetch, which could otherwise be counted after the reset.
  await portal.proxy.waitUntilIdle(100);
  portal.proxy.reset();
  expect((await declare()).status).toBe(429);
  expect(portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices'))).toEqual([]);
});

it('a rejected request does not wait for its prefetch, and ignores an error of the prefetch', async () => {
  const { account, call } = await createCaller();
  await changeRecord(portal.engine, account.keys.user, { active: false });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  portal.proxy.injectFault({ how: 'delay-request', table: 'Invoices', times: 1, wait: () => released });
  expect((await call('get-invoice', { path })).status).toBe(401);
  release();
  portal.proxy.injectFault({ how: 'error', table: 'Invoices' });
  expect((await call('get-invoice', { path })).status).toBe(401);
});

it('the error of a failed prefetch is returned only if the checks of the caller and of the input pass', async () => {
  const { call } = await createCaller();
  portal.proxy.injectFault({ how: 'error', table: 'Invoices' });
  expect((await call('get-invoice', { path })).status).toBe(500);
  expect((await call('get-invoice', { path: `${path}A` })).status).toBe(400);
  expect((await call('get-invoice', { path: `${path}A`, headers: { 'x-api-key': newId() } })).status).toBe(401);
});
