import { describe, expect, it } from 'vitest';
import type { TableName } from '../../../infra/routes.ts';
import type { CurrentName, TestRequest } from '../../support/service/handlers.ts';
import { INDEXED_ROWS } from '../../../lib/services/day-index.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { actionsOf, isPermitted, type TableAction } from '../../support/stack/permitted-calls.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { changeRecord, newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { roleOf, statementsOf } from '../../support/stack/stack-permissions.ts';

const portal = useWatchedPortal();

const USERNAME = 'somebody';
const declaration = { invoice_id: '4711', amount: 1 };
const requests: Readonly<Record<Exclude<CurrentName, 'login'>, TestRequest>> = {
  'list-invoices': { query: { startdate: '2026-03-01', enddate: '2026-03-31', search: 'srv' } },
  'get-invoice': { path: '/apidev/v1/supplier-portal/invoices/4711' },
  'validate-amount': { body: declaration },
  'declare-invoice': { body: declaration },
  'declare-batch': { body: { declarations: [declaration] } },
};

/** What some work does to the tables. */
async function actionsDuring(work: () => Promise<unknown>): Promise<TableAction[]> {
  const names = new Map(Object.entries(portal.engine.tables).map(([name, table]) => [table, name as TableName]));
  const actions: TableAction[] = [];
  portal.proxy.watch = (operation, input) =>
    void actions.push(...actionsOf(operation, input, (table) => names.get(table) ?? (table as TableName)));
  await work();
  portal.proxy.watch = () => undefined;
  return actions;
}

function forbidden(name: string, actions: readonly TableAction[]): TableAction[] {
  const statements = statementsOf(roleOf(name));
  return actions.filter((action) => !isPermitted(action, statements));
}

async function newCaller() {
  const { account, call } = await portal.newCaller({ user: { username: USERNAME } });
  // So many of one day that a search makes an index of it.
  const others = Array.from({ length: INDEXED_ROWS }, () => anInvoice());
  await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '4711' }), ...others]);
  return { account, call };
}

describe('the role of a function', () => {
  it.each(Object.entries(requests) as [keyof typeof requests, TestRequest][])(
    'allows every call that %s makes',
    async (name, request) => {
      const { call } = await newCaller();
      const actions = await actionsDuring(async () => expect((await call(name, request)).status).toBe(200));
      expect(actions.length).toBeGreaterThan(2);
      const tables = actions.map(({ table }) => table);
      expect(tables.includes('DayIndexes')).toBe(name === 'list-invoices');
      expect(forbidden(name, actions)).toEqual([]);
    },
  );

  it('allows every call that login makes: right and wrong, known and unknown, with a player id', async () => {
    const { account } = await newCaller();
    const login = (fields: object, headers: Record<string, string> = {}, sourceIp = newId()) => {
      const body = { email: account.email, password: account.password, ...fields };
      return portal.invoke('login', { headers: { tenant: account.scope.tenant, ...headers }, body, sourceIp });
    };
    const actions = await actionsDuring(async () => {
      expect((await login({ playerid: 'p1' })).status).toBe(200);
      expect((await login({ playerid: 'p2' })).status).toBe(200);
      expect((await login({ password: 'wrong' })).status).toBe(401);
      expect((await login({ email: 'nobody@supplier.example' })).status).toBe(401);
      expect((await login({ email: USERNAME })).status).toBe(401);
      // More sources than an account knows.
      for (let source = 0; source < 11; source++) await login({});
      const withKey = { 'x-api-key': account.apiKey };
      expect((await login({ password: 'wrong' }, withKey)).status).toBe(401);
      // A pause is over, grows by a wrong login, and ends by a right one of a source that is known.
      const spent = Array.from({ length: 20 }, (_, place) => [
        `h${String(place).padStart(2, '0')}`,
        Date.now() - 90_000,
      ]);
      await changeRecord(portal.engine, account.keys.account, Object.fromEntries(spent));
      expect((await login({ password: 'wrong' })).status).toBe(401);
      expect((await login({}, withKey, 'home')).status).toBe(200);
      expect((await login({}, {}, 'home')).status).toBe(200);
    });
    expect(forbidden('login', actions)).toEqual([]);
  });

  it('allows every call that the legacy route makes', async () => {
    const { account } = await newCaller();
    const call = legacyCallsOf(portal.invoke, account);
    const actions = await actionsDuring(async () => {
      const march = { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' };
      const amount = { IdFactura: '4711', Importe: 1 };
      for (const [operation, fields] of [
        ['WSListarFacturas', march],
        ['WSListarFacturas', { ...march, Busqueda: 'srv' }],
        ['WSObtenerFactura', amount],
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
    expect(actions.map(({ table }) => table)).toContain('DayIndexes');
    expect(forbidden('legacy-dispatch', actions)).toEqual([]);
  });
});

describe('what a function that was taken over could ask for', () => {
  it.each([
    ['LOGIN#192.0.2.1', ['login']],
    ['LEGACY#192.0.2.1', ['legacy-dispatch']],
    ['LEGACY#2001:db8::1', ['legacy-dispatch']],
    ['a.example#300#supplier-portal-read#30', [...Object.keys(requests), 'legacy-dispatch']],
  ])('of the counter %s, is for the function that keeps it alone', (pk, names) => {
    for (const action of ['GetItem', 'UpdateItem', 'PutItem', 'DeleteItem']) {
      const asked = { action, table: 'RateCounters' as const, context: { 'dynamodb:LeadingKeys': [pk] } };
      const given = [...Object.keys(requests), 'login', 'legacy-dispatch'].filter((name) =>
        isPermitted(asked, statementsOf(roleOf(name))),
      );
      const isOfGuard = action === 'GetItem' && pk.startsWith('L');
      expect([action, given]).toEqual([action, action === 'UpdateItem' || isOfGuard ? names : []]);
    }
  });

  const table = 'Directory';
  const key = (pk: string) => ({ 'dynamodb:LeadingKeys': [pk] });
  const update = (pk: string, ...attributes: string[]) => ({
    ...key(pk),
    'dynamodb:Attributes': ['pk', 'sk', ...attributes],
  });
  const both = ['login', 'legacy-dispatch'];
  const suppliers = Object.keys(requests);

  it.each([
    ['a password hash', suppliers, 'BatchGetItem', key('ACCOUNT#a.example#1')],
    ['a password hash by another action', suppliers, 'GetItem', key('ACCOUNT#a.example#1')],
    ['a new password', both, 'UpdateItem', update('ACCOUNT#a.example#1', 'password_hash')],
    ['an end of sessions that is undone', both, 'UpdateItem', update('ACCOUNT#a.example#1', 'tokens_from')],
    ['the same, of the user', both, 'UpdateItem', update('TENANT#a.example', 'tokens_from')],
    ['the end of a password', both, 'UpdateItem', update('ACCOUNT#a.example#1', 'ttl')],
    ['more permissions', both, 'UpdateItem', update('TENANT#a.example', 'permissions')],
    ['another supplier', both, 'UpdateItem', update('TENANT#a.example', 'player_ids', 'supplier_id')],
    ['a new API key', both, 'UpdateItem', update('APIKEY#0', 'tenant')],
    ['a public key', both, 'UpdateItem', update('JWKS', 'jwk')],
    [
      'a user',
      ['login'],
      'UpdateItem',
      { ...update('TENANT#a.example', 'player_ids'), 'dynamodb:ReturnValues': ['ALL_NEW'] },
    ],
    ['player ids', ['legacy-dispatch'], 'UpdateItem', update('TENANT#a.example', 'player_ids')],
  ])('is not given: %s', async (_what, names, action, context) => {
    const given = names.filter((name) => isPermitted({ action, table, context }, statementsOf(roleOf(name))));
    expect(given).toEqual([]);
    // The same judge says yes to what is allowed.
    const allowed = { action: 'BatchGetItem', table, context: key('TENANT#a.example') } as const;
    expect(names.filter((name) => !isPermitted(allowed, statementsOf(roleOf(name))))).toEqual([]);
  });
});
