import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TableName } from '../../../infra/routes.ts';
import type { Fault } from '../../support/engine/engine-faults.ts';
import type { CurrentName } from '../../support/service/handlers.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredRevisions } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();

async function createSupplier() {
  const { account, call } = await portal.newCaller();
  const invoice = buildInvoice();
  await seedInvoices(portal.engine, account.scope, [invoice]);
  const { invoiceId } = invoice;
  const declaration = { invoice_id: invoiceId, amount: 1111 };
  const requests = {
    login: { headers: { tenant: account.scope.tenant }, body: { email: account.email, password: account.password } },
    'list-invoices': { query: { startdate: '2026-03-01', enddate: '2026-03-31' } },
    'get-invoice': { path: `/apidev/v1/supplier-portal/invoices/${invoiceId}` },
    'get-history': { path: `/apidev/v1/supplier-portal/invoices/${invoiceId}/history` },
    'validate-amount': { body: declaration },
    'declare-invoice': { body: declaration },
    'declare-batch': { body: { declarations: [declaration] } },
  } satisfies Record<CurrentName, TestRequest>;
  return { account, call, requests, invoiceId };
}

describe('a request whose calls to the engine get no response', () => {
  const TIMEOUT_MS = 3_000;
  const cases: readonly { name: CurrentName; table: TableName; status: number }[] = [
    { name: 'login', table: 'Directory', status: 503 },
    { name: 'list-invoices', table: 'Directory', status: 503 },
    { name: 'list-invoices', table: 'Invoices', status: 500 },
    { name: 'get-invoice', table: 'Invoices', status: 500 },
    { name: 'get-history', table: 'Declarations', status: 500 },
    { name: 'validate-amount', table: 'Invoices', status: 500 },
    { name: 'declare-invoice', table: 'Directory', status: 503 },
    { name: 'declare-invoice', table: 'Invoices', status: 500 },
    { name: 'declare-batch', table: 'Invoices', status: 500 },
  ];
  let release: PromiseWithResolvers<void>;
  beforeEach(() => void (release = Promise.withResolvers()));
  afterEach(async () => {
    release.resolve();
    await portal.proxy.waitUntilIdle();
  });

  it('every endpoint responds half a second before Lambda would end a request whose engine calls hang', async () => {
    const outcomes = cases.map(async ({ name, table }) => {
      const { account, call, requests } = await createSupplier();
      const { tenant } = account.scope;
      portal.proxy.injectFault({ how: 'delay-response', table, mentioning: tenant, wait: () => release.promise });
      const endMs = performance.now() + TIMEOUT_MS;
      const response = call(name, { ...requests[name], remainingMs: () => endMs - performance.now() });
      const late = sleep(TIMEOUT_MS - 500, { status: 'too late' });
      const { status } = await Promise.race([response, late]);
      return { name, table, status };
    });
    expect(await Promise.all(outcomes)).toEqual(cases);
  });
});

describe('a declaration whose process is frozen until its time is over', { tags: 'long' }, () => {
  /** Declares 1111. The time of the request is over as soon as the fault has hit a call. */
  async function declareFrozen(createFault: (declareRival: () => Promise<unknown>) => Fault) {
    const { account, call, requests, invoiceId } = await createSupplier();
    const declareRival = () => call('declare-invoice', { body: { invoice_id: invoiceId, amount: 2222 } });
    portal.proxy.injectFault({ ...createFault(declareRival), times: 1 });
    const remainingMs = () => (portal.proxy.hits.size > 0 ? -60_000 : 20_000);
    await call('declare-batch', { ...requests['declare-batch'], remainingMs });
    await portal.proxy.waitUntilIdle();
    const calls = portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices'));
    const revisions = await readStoredRevisions(portal.engine, account.scope, invoiceId);
    return {
      operations: calls.map(({ operation }) => operation),
      declared: revisions.map(({ declared_amount: amount }) => amount),
    };
  }

  const wait = async () => {};
  const [read, write] = ['BatchGetItem', 'TransactWriteItems'] as const;
  const late = { how: 'delay-response', operation: read, wait } as const;

  it.each<[string, (declareRival: () => Promise<unknown>) => Fault, operations: string[], declared: number[]]>([
    ['while its access is checked reads no invoice', () => ({ ...late, table: 'Directory' }), [], []],
    ['while its invoices are read writes nothing', () => ({ ...late, table: 'Invoices' }), [read], []],
    [
      'while it conflicts with another one does not retry',
      (declareRival) => ({ how: 'delay-request', operation: write, wait: declareRival }),
      [read, read, write, write],
      [2222],
    ],
    [
      'between two attempts of a write makes no further attempt',
      () => ({ how: 'error', operation: write }),
      [read, write],
      [],
    ],
  ])('a declaration that is frozen %s', async (_, createFault, operations, declared) => {
    expect(await declareFrozen(createFault)).toEqual({ operations, declared });
  });
});
