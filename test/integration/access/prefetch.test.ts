import { describe, expect, it } from 'vitest';
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

/** A caller with the invoice 1, through a process that has read the signing keys. */
async function newCaller(overrides?: AccountOverrides) {
  const caller = await portal.newCaller(overrides);
  await seedInvoices(portal.engine, caller.account.scope, [buildInvoice({ invoiceId: '1' })]);
  await caller.call('validate-amount', { body: declaration });
  portal.proxy.reset();
  return caller;
}

/** The read units that were charged for what is no check of the caller. */
function unitsOfInvoices(): number {
  const { Invoices = { read: 0 }, Declarations = { read: 0 } } = portal.proxy.readUnits();
  return Invoices.read + Declarations.read;
}

describe('what a refused request has read in vain', () => {
  it.each<[CurrentName, TestRequest, units: number]>([
    ['get-invoice', { path }, 1],
    ['validate-amount', { body: declaration }, 1],
    // Two days of the month have no counters; the rows of the month, and the counters of its six shards.
    ['list-invoices', { query: march }, 2],
    // The invoice, and what this process does not know yet of the log.
    ['declare-invoice', { body: declaration }, 2],
    ['declare-batch', { body: { declarations: [declaration] } }, 0],
    ['list-invoices', { query: { ...march, search: 'srv' } }, 0],
    ['list-invoices', { query: { ...march, offset: 1 } }, 0],
    ['list-invoices', { query: { ...march, limit: 101 } }, 0],
    ['get-invoice', { path: `${path}A` }, 0],
  ])('by %s %j is %i units at most', async (name, request, units) => {
    const { account, call } = await newCaller();
    // A function that is called for the first time reads the signing keys, too; it answers when it has read all.
    await call(name, request);
    portal.proxy.reset();
    await changeRecord(portal.engine, account.keys.user, { active: false });
    const arrived: string[] = [];
    portal.proxy.onCall = (operation) => arrived.push(operation);
    expect((await call(name, request)).status).toBe(401);
    if (units === 0) expect(arrived.toSorted()).toEqual(['BatchGetItem', 'UpdateItem']);
    else await portal.proxy.waitUntilIdle(100);
    expect(unitsOfInvoices()).toBeLessThanOrEqual(units);
  });
});

describe('a refusal', () => {
  it('does not wait for what is read ahead, nor is told of its failure', async () => {
    const { account, call } = await newCaller();
    await changeRecord(portal.engine, account.keys.user, { active: false });
    const { promise: answered, resolve: open } = Promise.withResolvers<void>();
    portal.proxy.injectFault({ how: 'delay-request', table: 'Invoices', times: 1, wait: () => answered });
    expect((await call('get-invoice', { path })).status).toBe(401);
    open();
    portal.proxy.injectFault({ how: 'error', table: 'Invoices' });
    expect((await call('get-invoice', { path })).status).toBe(401);
  });

  it('of a failed read comes in its old place: after those of the caller and of the input', async () => {
    const { call } = await newCaller();
    portal.proxy.injectFault({ how: 'error', table: 'Invoices' });
    expect((await call('get-invoice', { path })).status).toBe(500);
    expect((await call('get-invoice', { path: `${path}A` })).status).toBe(400);
    expect((await call('get-invoice', { path: `${path}A`, headers: { 'x-api-key': newId() } })).status).toBe(401);
  });
});
