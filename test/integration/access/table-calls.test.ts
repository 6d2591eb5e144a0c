import { expect, it } from 'vitest';
import type { TableName } from '../../../infra/routes.ts';
import type { CurrentName } from '../../support/service/handlers.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { createLegacyCaller } from '../../support/legacy/legacy.ts';
import { listActions, isPermitted } from '../../support/stack/permitted-calls.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { changeRecord, newId } from '../../support/data/seed.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { findRoleId, listStatements } from '../../support/stack/stack-permissions.ts';

const portal = useWatchedPortal();

const USERNAME = 'somebody';
const declaration = { invoice_id: '4711', amount: 1 };
const march = { startdate: '2026-03-01', enddate: '2026-03-31' };
const requestsByEndpoint: Readonly<Record<Exclude<CurrentName, 'login'>, readonly TestRequest[]>> = {
  'list-invoices': [
    { query: march },
    { query: { ...march, search: 'srv', status: 'PEN', changed_since: '2026-03-01' } },
  ],
  'get-invoice': [{ path: '/apidev/v1/supplier-portal/invoices/4711' }],
  'get-history': [{ path: '/apidev/v1/supplier-portal/invoices/4711/history' }],
  'validate-amount': [{ body: declaration }],
  'declare-invoice': [{ body: declaration }],
  'declare-batch': [{ body: { declarations: [declaration] } }],
};
const requests = Object.entries(requestsByEndpoint).flatMap(([name, list]) =>
  list.map((request) => [name as CurrentName, request] as const),
);

interface TableCall {
  readonly operation: string;
  readonly input: Read & { readonly RequestItems?: Readonly<Record<string, Read>> };
}

/** A read, or the part of a BatchGetItem that reads a table. */
interface Read {
  readonly ConsistentRead?: boolean;
}

/** Returns the calls to DynamoDB that the work makes. */
async function recordCalls(work: () => Promise<unknown>): Promise<TableCall[]> {
  const calls: TableCall[] = [];
  portal.proxy.onCall = (operation, input) => void calls.push({ operation, input });
  try {
    await work();
  } finally {
    portal.proxy.onCall = () => undefined;
  }
  return calls;
}

/** Expects that the role of a function allows all calls of the work, and that all reads are strongly consistent. */
async function expectAllowedConsistentCalls(name: string, work: () => Promise<unknown>): Promise<void> {
  const calls = await recordCalls(work);
  const actions = calls.flatMap(({ operation, input }) => listActions(operation, input, toTableName));
  const reads = calls
    .filter(({ operation }) => /Get|Query/.test(operation))
    .flatMap(({ input }) => (input.RequestItems ? Object.values(input.RequestItems) : [input]));
  const statements = listStatements(findRoleId(name));
  expect(actions.length).toBeGreaterThan(2);
  expect(reads.length).toBeGreaterThan(1);
  expect(actions.filter((action) => !isPermitted(action, statements))).toEqual([]);
  expect(reads.filter(({ ConsistentRead }) => ConsistentRead !== true)).toEqual([]);
}

/** Returns the name in the stack of a table of the engine. */
function toTableName(table: string): TableName {
  const entry = Object.entries(portal.engine.tables).find(([, engineName]) => engineName === table);
  return (entry?.[0] ?? table) as TableName;
}

/** Creates a caller with one invoice. */
async function createCaller() {
  const { account, call } = await portal.newCaller({ user: { username: USERNAME } });
  await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '4711' })]);
  return { account, call };
}

it.each(requests)(
  'the role of %s allows every call to a table that the function makes for %j, and every read is strongly consistent',
  async (name, request) => {
    const { call } = await createCaller();
    await expectAllowedConsistentCalls(name, async () => expect((await call(name, request)).status).toBe(200));
  },
);

it('the role of login allows every call to a table for valid, invalid and unknown logins, and every read is strongly consistent', async () => {
  const { account } = await createCaller();
  const login = (fields: object) => {
    const body = { email: account.email, password: account.password, ...fields };
    return portal.invoke('login', { headers: { tenant: account.scope.tenant }, body, sourceIp: newId() });
  };
  await expectAllowedConsistentCalls('login', async () => {
    expect((await login({ playerid: 'p1' })).status).toBe(200);
    expect((await login({ playerid: 'p2' })).status).toBe(200);
    expect((await login({ password: 'wrong' })).status).toBe(401);
    expect((await login({ email: 'nobody@supplier.example' })).status).toBe(401);
    expect((await login({ email: USERNAME })).status).toBe(401);
    // The next write removes the attributes of earlier windows and periods.
    const names = { failures_1: 1, s_1: 1 };
    const unknownKey = directoryKeys.unknownLogin(account.scope.tenant, 'nobody@supplier.example');
    for (const key of [account.keys.account, unknownKey]) await changeRecord(portal.engine, key, { ...key, ...names });
    expect((await login({ password: 'wrong' })).status).toBe(401);
    expect((await login({ email: 'nobody@supplier.example' })).status).toBe(401);
  });
});

it('the role of the legacy route allows every call of its operations to a table, and every read is strongly consistent', async () => {
  const { account } = await createCaller();
  const call = createLegacyCaller(portal.invoke, account);
  await expectAllowedConsistentCalls('legacy-dispatch', async () => {
    const dates = { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' };
    const amount = { IdFactura: '4711', Importe: 1 };
    for (const [operation, fields] of [
      ['WSListarFacturas', dates],
      ['WSListarFacturas', { ...dates, Busqueda: 'srv' }],
      ['WSObtenerFactura', amount],
      ['WSHistorialFactura', amount],
      ['WSDeclararFactura', amount],
      ['WSDeclararFacturas', { Declaraciones: [amount] }],
      ['WSValidarFactura', amount],
    ] as const)
      expect((await call(operation, fields)).body.Resultado.Codigo).toBe('OK');
    for (const authorization of [
      ...[{ Password: 'wrong' }, { Usuario: USERNAME, Password: 'wrong' }],
      ...[{ Usuario: 'nobody' }, { Guid: crypto.randomUUID() }],
    ])
      expect((await call('WSObtenerFactura', {}, { authorization })).body.Resultado.Codigo).toBe('UNAUTHORIZED');
  });
});
