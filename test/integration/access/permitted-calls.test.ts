import { describe, expect, it } from 'vitest';
import type { TableName } from '../../../infra/routes.ts';
import type { CurrentName } from '../../support/service/handlers.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { INDEXED_ROWS } from '../../../lib/invoices/day-indexes.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { actionsOf, isPermitted, type TableAction } from '../../support/stack/permitted-calls.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { changeRecord, newId } from '../../support/data/seed.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
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
    const login = (fields: object) => {
      const body = { email: account.email, password: account.password, ...fields };
      return portal.invoke('login', { headers: { tenant: account.scope.tenant }, body, sourceIp: newId() });
    };
    const actions = await actionsDuring(async () => {
      expect((await login({ playerid: 'p1' })).status).toBe(200);
      expect((await login({ playerid: 'p2' })).status).toBe(200);
      expect((await login({ password: 'wrong' })).status).toBe(401);
      expect((await login({ email: 'nobody@supplier.example' })).status).toBe(401);
      expect((await login({ email: USERNAME })).status).toBe(401);
      // With the attributes of the old format and of earlier windows and periods, which the next write removes.
      const old = ['h00', 'k19', 'u05', 'v12', 'h_pause', 'failures', 'failures_from', 'source_x', 'f_1', 's_1'];
      const names = Object.fromEntries(old.map((name) => [name, 1]));
      const nobody = directoryKeys.unknownLogin(account.scope.tenant, 'nobody@supplier.example');
      for (const key of [account.keys.account, nobody]) await changeRecord(portal.engine, key, { ...key, ...names });
      expect((await login({ password: 'wrong' })).status).toBe(401);
      expect((await login({ email: 'nobody@supplier.example' })).status).toBe(401);
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
