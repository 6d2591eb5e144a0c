import { beforeAll, describe, expect, it } from 'vitest';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { Invoke, TestRequest } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { requestUnits } from '../../support/guides/readme.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import type { Account } from '../../support/data/seed.ts';

const INVOICES = 25;
const names = ['login', 'list-invoices', 'get-invoice', 'validate-amount', 'declare-invoice', 'declare-batch'] as const;
const inGuide = requestUnits();

const portal = useWatchedPortal();
let account: Account;
let call: Invoke;
let invoices: readonly Invoice[] = [anInvoice()];
beforeAll(async () => {
  ({ account, call } = await portal.newCaller());
  // Fills what a warm function has cached.
  for (const name of names) await call(name, requestOf(name));
});

/** What work is charged. */
async function charged(work: () => Promise<unknown>) {
  portal.proxy.reset();
  await work();
  const units = portal.proxy.calls.flatMap((made) => made.units);
  const sum = (part: 'read' | 'write') => units.reduce((total, unit) => total + unit[part], 0);
  return { readUnits: sum('read'), writeUnits: sum('write') };
}

function importInvoices(): Promise<readonly Invoice[]> {
  const month = Array.from(
    { length: INVOICES },
    (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}T10:00:00.000Z`,
  );
  return seedInvoices(
    portal.proxy.engine,
    account.scope,
    month.map((invoiceDate) => anInvoice({ invoiceDate })),
  );
}

function requestOf(name: (typeof names)[number]): TestRequest {
  const ids = invoices.map(({ invoiceId }) => invoiceId);
  const declarations = ids.map((invoiceId) => ({ invoice_id: invoiceId, amount: 1000, notes: 'two hours of waiting' }));
  return {
    login: { body: { email: account.email, password: account.password } },
    'list-invoices': { query: { startdate: '2026-03-01', enddate: '2026-03-31', limit: INVOICES } },
    'get-invoice': { path: `/apidev/v1/supplier-portal/invoices/${ids[0]}` },
    'validate-amount': { body: { invoice_id: ids[0], amount: 1000 } },
    'declare-invoice': { body: declarations[0] },
    'declare-batch': { body: { declarations } },
  }[name];
}

describe('the capacity that the guide computes the monthly costs from', () => {
  it('is what the engine charges for the import of 25 invoices', async () => {
    expect(await charged(importInvoices)).toEqual(inGuide['import']);
  });

  it.each(names)('is what it charges for a %s, once the function is warm', async (name) => {
    ({ account, call } = await portal.newCaller());
    invoices = await importInvoices();
    // From an address that the account knows.
    if (name === 'login') await call(name, requestOf(name));
    expect(await charged(() => call(name, requestOf(name)))).toEqual(inGuide[name]);
  });
});
