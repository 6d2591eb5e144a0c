import { stages } from '../../../infra/config.ts';
import type { TableName } from '../../../infra/routes.ts';
import { contracts } from '../../../infra/routes.ts';
import { LOG_SHARDS } from '../../../lib/storage/items/keys.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import type { EngineCall } from '../../support/engine/engine-calls.ts';
import { buildProxyEvent, type TestRequest } from '../../support/service/proxy-event.ts';
import { seedSigningKey, tokenFor } from '../../support/service/tokens.ts';
import { inNewProcess } from '../bundles/service.ts';
import { withEngine } from '../measuring/request-cost.ts';
import { BATCH, type Kind, lists } from './assumptions.ts';
import { keysIn, kindOfKey } from './keys.ts';
import type { KeyUse, Measured, Taken } from './model.ts';

const functionOf = {
  login: 'login',
  list: 'list-invoices',
  detail: 'get-invoice',
  validate: 'validate-amount',
  declare: 'declare-invoice',
  batch: 'declare-batch',
} as const satisfies Record<Kind, string>;
const kinds = Object.keys(functionOf) as Kind[];

/** Sends each kind of request to a warm function, and keeps what it takes from which key. */
export function measure(): Promise<Measured> {
  return withEngine(async ({ engine, proxy }) => {
    const tenant = { tenant: `${newId()}.example` };
    const signingKey = await seedSigningKey(engine);
    const newEvent = async (kind: Kind) => {
      const { scope, reference, apiKey, email, password } = await seedAccount(engine, { tenant });
      const dated = (index: number) => `2026-03-${String(1 + (index % 28)).padStart(2, '0')}T10:00:00.000Z`;
      const invoices = Array.from({ length: BATCH }, (_, index) => anInvoice({ invoiceDate: dated(index) }));
      await seedInvoices(engine, scope, invoices);
      const ids = invoices.map(({ invoiceId }) => invoiceId);
      const authorization = `Bearer ${await tokenFor(reference, signingKey)}`;
      const headers = { tenant: scope.tenant, authorization, 'x-api-key': apiKey };
      const contract = contracts.find(({ name }) => name === functionOf[kind])!;
      return buildProxyEvent(contract, { headers, ...requestOf(kind, ids, { email, password }) });
    };
    const first: EngineCall[] = [];
    const calls: [Kind, EngineCall[]][] = [];
    for (const kind of kinds) {
      await inNewProcess(functionOf[kind], proxy.engine.endpoint, async (process) => {
        const send = async (event: object) => {
          proxy.reset();
          await process.answer([event]);
          return [...proxy.calls];
        };
        // What a process reads once: the keys, and what it must know of the tenant's log.
        first.push(...(await send(await newEvent(kind))));
        const event = await newEvent(kind);
        // A login comes from an address that the account knows.
        if (kind === 'login') await send(event);
        calls.push([kind, await send(event)]);
      });
    }
    return measured(first, calls, engine);
  });
}

function measured(
  first: readonly EngineCall[],
  calls: readonly (readonly [Kind, readonly EngineCall[]])[],
  { tables }: TestEngine,
): Measured {
  const toName = (table: string) => Object.entries(tables).find(([, physical]) => physical === table)![0] as TableName;
  const publicKeys = usesOf([['detail', first]], toName).keys.find(({ name }) => name === 'public keys');
  const reads = first.filter(({ body }) => body.includes('"JWKS"')).length;
  const { throttling: others, methodThrottling } = stages.prod;
  return {
    ...usesOf(calls, toName),
    publicKeys: (publicKeys?.taken.detail?.read ?? 0) / Math.max(1, reads),
    logShards: LOG_SHARDS,
    transactions: Object.fromEntries(
      calls.map(([kind, of]) => [kind, of.filter(({ operation }) => operation === 'TransactWriteItems').length]),
    ),
    stage: { all: others.requestsPerSecond, login: methodThrottling.login.requestsPerSecond },
  };
}

/** What requests take from each kind of key; the units of a call are shared evenly by the keys that it names. */
function usesOf(requests: readonly (readonly [Kind, readonly EngineCall[]])[], toName: (table: string) => TableName) {
  const keys = new Map<string, KeyUse & { taken: Partial<Record<Kind, Taken>> }>();
  const tables: typeof keys = new Map();
  const add = (to: typeof keys, use: Omit<KeyUse, 'taken'>, kind: Kind, units: Taken) => {
    const found = to.get(use.name) ?? { ...use, taken: {} };
    const before = found.taken[kind] ?? { read: 0, write: 0 };
    found.taken[kind] = { read: before.read + units.read, write: before.write + units.write };
    to.set(use.name, found);
  };
  for (const [kind, calls] of requests) {
    for (const { body, units } of calls) {
      const named = keysIn(JSON.parse(body) as object);
      for (const { table, read, write } of units) {
        const own = named.filter((key) => toName(key.table) === table);
        const share = { read: read / own.length, write: write / own.length };
        add(tables, { name: `table ${table}`, sharing: 'all' }, kind, { read, write });
        for (const { pk, sk } of own) {
          add(keys, kindOfKey(table, pk, sk), kind, share);
          // Until DynamoDB has split it, these items of a tenant are in one partition.
          if (pk.startsWith('TENANT#') && sk !== 'TENANT') {
            add(keys, { name: 'companies, users, suppliers', sharing: 'tenant' }, kind, share);
          }
        }
      }
    }
  }
  return { keys: [...keys.values()], tables: [...tables.values()] };
}

function requestOf(kind: Kind, ids: readonly string[], credentials: object): TestRequest {
  const declarations = ids.map((invoice_id) => ({ invoice_id, amount: 1000, notes: 'two hours of waiting' }));
  return {
    login: { body: credentials },
    list: { query: { startdate: '2026-03-01', enddate: '2026-03-31', limit: String(lists.rows) } },
    detail: { path: `/apidev/v1/supplier-portal/invoices/${ids[0]}` },
    validate: { body: { invoice_id: ids[0], amount: 1000 } },
    declare: { body: declarations[0] ?? {} },
    batch: { body: { declarations } },
  }[kind];
}
