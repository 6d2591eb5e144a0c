import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/answers/answer.ts';
import { errorOf as legacyErrorOf, legacyCallsOf } from '../../support/legacy/legacy.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { type Account, changeRecord, seedAccount } from '../../support/data/seed.ts';

const path = '/apidev/v1/supplier-portal/invoices/4711';
const declaration = { invoice_id: '4711', amount: 1 };
const requests = [
  ['list-invoices', { query: { startdate: '2026-03-01', enddate: '2026-03-31' } }],
  ['get-invoice', { path }],
  ['declare-invoice', { body: declaration }],
  ['declare-batch', { body: { declarations: [declaration] } }],
  ['validate-amount', { body: declaration }],
] as const;

const portal = useWatchedPortal();

const errorOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.message];
const NO_SUPPLIER = [403, 'FORBIDDEN', 'This endpoint requires a supplier account.'];
const SUSPENDED = [403, 'COMPANY_SUSPENDED', 'The company account is suspended.'];

/** A caller, and an account of another company of its tenant. */
async function neighbours() {
  const { account, call } = await portal.newCaller();
  const other = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
  return { account, call, other };
}

const login = ({ scope, email, password }: Account) =>
  portal.invoke('login', { headers: { tenant: scope.tenant }, body: { email, password } });

describe('a user whose supplier belongs to another company', () => {
  it('is FORBIDDEN everywhere like one without a supplier [service/rule-2]', async () => {
    const { account, call, other } = await neighbours();
    await changeRecord(portal.engine, account.keys.user, { supplier_id: other.scope.supplierId });
    for (const [name, request] of requests) expect(errorOf(await call(name, request))).toEqual(NO_SUPPLIER);
  });

  it('is FORBIDDEN also when it is the supplier that moved, on a token issued before [service/rule-2]', async () => {
    const { account, call, other } = await neighbours();
    expect((await call('get-invoice', { path })).status).toBe(404);
    await changeRecord(portal.engine, account.keys.supplier, { company_id: other.reference.companyId });
    expect(errorOf(await call('get-invoice', { path }))).toEqual(NO_SUPPLIER);
    const legacy = await legacyCallsOf(portal.invoke, account)('WSObtenerFactura', { IdFactura: '4711' });
    expect(legacyErrorOf(legacy).slice(0, 2)).toEqual([200, 'FORBIDDEN']);
  });

  it('is stopped by the suspension of either company, at login too [codes/COMPANY_SUSPENDED/company] [auth/rule-4/endpoints] [auth/rule-4/login]', async () => {
    const { account, call, other } = await neighbours();
    await changeRecord(portal.engine, account.keys.supplier, { company_id: other.reference.companyId });
    expect((await login(account)).status).toBe(200);
    await changeRecord(portal.engine, other.keys.company, { status: 'SUSPENDED' });
    for (const [name, request] of requests) expect(errorOf(await call(name, request))).toEqual(SUSPENDED);
    expect(errorOf(await login(account))).toEqual(SUSPENDED);
    await changeRecord(portal.engine, other.keys.company, { status: 'ACTIVE' });
    await changeRecord(portal.engine, account.keys.company, { status: 'SUSPENDED' });
    expect(errorOf(await call('get-invoice', { path }))).toEqual(SUSPENDED);
  });

  it('costs one more round trip, which no other user pays', async () => {
    const { account, call, other } = await neighbours();
    const trips = async () => (await costOf(portal.proxy, () => call('get-invoice', { path }))).serialRoundTrips;
    await call('get-invoice', { path });
    expect(await trips()).toBe(1);
    await changeRecord(portal.engine, account.keys.supplier, { company_id: other.reference.companyId });
    // The other company is read after the snapshot.
    expect(await trips()).toBe(2);
  });
});
