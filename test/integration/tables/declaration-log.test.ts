import { setTimeout } from 'node:timers/promises';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { exportDeclarations } from '../../../infra/ops/export/export-declarations.ts';
import { createDeclarationLog, type LogEntry, type OwnedRevision } from '../../../lib/tables/declaration-table.ts';
import type { DeclarationContext } from '../../../lib/domain/declaration.ts';
import type { ServiceError } from '../../../lib/domain/errors.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { type DeclarationStore, declareAmounts } from '../../../lib/invoices/declare-amounts.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { buildDeclarationItems } from '../../../lib/tables/history-items.ts';
import { findRevisionsOfRequest, readRevisionsByRequest } from '../../support/data/stored-invoices.ts';
import { createTestDeclarationStore } from '../../support/data/declare-one.ts';
import { createDeclaringCrowd } from '../../support/data/declaring-crowd.ts';
import { newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { buildRevision } from '../../support/data/stream-records.ts';
import { measureCalls } from '../../support/engine/engine-proxy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();

/** Creates a supplier with `count` invoices, numbered from 1, that declares amounts in one request. */
async function createSupplier(count: number, context = buildContext(newId()), tenant = 't.example') {
  const { tables } = portal.proxy.engine;
  const scope = { tenant, supplierId: newId() };
  const ids = Array.from({ length: count }, (_, index) => `${index + 1}`);
  const invoices = ids.map((invoiceId) => buildInvoice({ invoiceId }));
  await seedInvoices(portal.engine, scope, invoices);
  const store = createStore();
  const { requestId } = context;
  let amount = 0;
  return {
    scope,
    ids,
    store,
    requestId,
    /** Declares a new amount for each of these invoices. */
    declare: (declared = ids, through: DeclarationStore = store) =>
      declareAmounts(
        through,
        scope,
        declared.map((invoiceId) => ({ invoiceId, amount: (amount += 1) })),
        context,
      ),
    findDeclared: () => findRevisionsOfRequest(portal.engine, requestId),
    readWritten: async () => (await readRevisionsByRequest(portal.engine, scope, ids)).get(requestId) ?? [],
    /** Reads the keys of the request's entries in the log. */
    readEntryKeys: async () => {
      const { Items = [] } = await portal.engine.client.send(
        new QueryCommand({
          TableName: tables.Declarations,
          IndexName: 'requests',
          KeyConditionExpression: 'log_request = :request',
          ExpressionAttributeValues: { ':request': requestId },
        }),
      );
      return Items.map(({ pk, sk }) => `${pk} ${sk}`);
    },
  };
}

/** Creates the store of a new process. */
const createStore = () => createTestDeclarationStore(portal.proxy.engine);

const formatRevision = ({ scope, revision }: OwnedRevision) =>
  `${scope.supplierId} ${revision.invoiceId} ${revision.revision}`;

function buildContext(requestId: string): DeclarationContext {
  const tolerance = selectTolerance(null, null);
  return { tolerance, userId: '1', requestId, now: new Date(), newDeclarationId: newId };
}

describe('the declarations of a request', () => {
  it.each([
    { what: '100 invoices, 18 in a transaction', chosen: undefined, count: 6 },
    { what: 'one invoice 100 times, one after the other', chosen: Array<string>(100).fill('1'), count: 100 },
  ])(
    'a request that declares $what has $count entries in the log, which contain all its declarations',
    async ({ chosen, count }) => {
      const { declare, findDeclared, readWritten, readEntryKeys } = await createSupplier(100);
      await declare(chosen);
      expect(await readWritten()).toHaveLength(100);
      expect(await findDeclared()).toEqual(await readWritten());
      expect(await readEntryKeys()).toHaveLength(count);
    },
  );

  it.each([
    { how: 'lose-response', mentioning: 'LOG#', times: 1, count: 1 },
    { how: 'conflict', mentioning: 'Invoices', times: 1, count: 1 },
    // After the second conflict the group is divided, but not after a conflict on the sequence number.
    { how: 'conflict', mentioning: 'Invoices', times: 2, count: 2 },
    { how: 'conflict', mentioning: 'LOG#', times: 5, count: 1 },
    { how: 'throttled-item', mentioning: 'LOG#', times: 5, count: 1 },
  ] as const)(
    'a request has $count entries with all its declarations if $how is simulated $times times for $mentioning',
    async ({ how, mentioning, times, count }) => {
      const { ids, declare, findDeclared, readWritten, readEntryKeys } = await createSupplier(10);
      portal.proxy.injectFault({ how, mentioning, times, operation: 'TransactWriteItems' });
      await declare();
      expect(portal.proxy.hits.get(how)).toBe(times);
      expect(await readWritten()).toHaveLength(ids.length);
      expect(await findDeclared()).toEqual(await readWritten());
      expect(await readEntryKeys()).toHaveLength(count);
    },
  );

  it('the log finds the declarations of two suppliers with equal invoice ids and request ids, of which one declared twice', async () => {
    const context = buildContext(newId());
    const [one, other] = [await createSupplier(5, context), await createSupplier(5, context)];
    for (const { declare } of [one, other, one]) await declare();
    const written = [...(await one.readWritten()), ...(await other.readWritten())];
    expect(written).toHaveLength(15);
    expect((await one.findDeclared()).toSorted()).toEqual(written.toSorted());
  });
});

/** Reads the entries of a tenant's log, shard by shard. */
async function readLog(tenant: string) {
  const log = createDeclarationLog(portal.engine.client, portal.engine.tables.Declarations);
  const latestNumbers = await log.readLatestNumbers(tenant);
  return Promise.all(
    latestNumbers.map(async (latest, shard) => {
      const entries: LogEntry[] = [];
      while (entries.length < latest) entries.push(...(await log.readAfter(tenant, shard, entries.length)));
      return entries;
    }),
  );
}

describe('the log of a tenant', () => {
  it('the log of a tenant has every declaration once and no gap in its sequence numbers if 60 processes write in parallel', async () => {
    const tenant = newId();
    const suppliers = await Promise.all(
      Array.from({ length: 6 }, () => createSupplier(10, buildContext(newId()), tenant)),
    );
    portal.proxy.reset();
    // Each declaration has its own process. There are more processes than shards.
    await Promise.all(suppliers.flatMap(({ ids, declare }) => ids.map((id) => declare([id], createStore()))));
    const calls = portal.proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems');
    expect(calls.length).toBeGreaterThan(60);
    await Promise.all(suppliers.map(({ declare }) => declare()));

    const shards = await readLog(tenant);
    for (const entries of shards) {
      expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
    }
    const logged = shards.flat().flatMap(({ declarations }) => declarations.map(formatRevision));
    const written = await Promise.all(suppliers.map((supplier) => supplier.readWritten()));
    expect(logged.toSorted()).toEqual(written.flat().toSorted());
    expect(logged).toHaveLength(120);
  });

  it(
    'of 50 processes that declare at the same time, few have conflicts, and an export contains each declaration once',
    { tags: 'long' },
    async () => {
      const tenant = newId();
      const crowd = await createDeclaringCrowd(portal.proxy, tenant, 50);
      // Until now, several processes have used each of the first shards.
      const first = await crowd.declareInEach(10);
      const second = await crowd.declareInEach(10);
      expect([...first.errors, ...second.errors]).toEqual([]);
      expect(second.cancelled / second.declarations).toBeLessThanOrEqual(0.05);

      portal.proxy.reset();
      const declarationLog = createDeclarationLog(portal.engine.client, portal.engine.tables.Declarations);
      const exported = await collectPages(exportDeclarations({ declarationLog }, tenant, []).declarations);
      const revisions = Map.groupBy(exported, ({ revision }) => revision.invoiceId);
      expect([...revisions.keys()].toSorted()).toEqual(crowd.invoiceIds.toSorted());
      const twenty = Array.from({ length: 20 }, (_, index) => index + 1);
      for (const list of revisions.values()) expect(list.map(({ revision }) => revision.revision)).toEqual(twenty);
    },
  );

  it('a process that has not declared for 10 seconds reads the latest number of its shard again', async () => {
    const tenant = newId();
    const { declare } = await createSupplier(1, buildContext(newId()), tenant);
    const listCalls = async () => {
      portal.proxy.reset();
      await declare();
      return portal.proxy.calls.map(({ operation }) => operation).toSorted();
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      expect(await listCalls()).toEqual(['BatchGetItem', 'Query', 'TransactWriteItems']);
      vi.advanceTimersByTime(9_000);
      expect(await listCalls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
      vi.advanceTimersByTime(10_000);
      expect(await listCalls()).toEqual(['BatchGetItem', 'Query', 'TransactWriteItems']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a process reads the latest number again after a transaction with an unknown result', async () => {
    const { declare, readWritten } = await createSupplier(1, buildContext(newId()), newId());
    portal.proxy.injectFault({ how: 'lose-response', operation: 'TransactWriteItems' });
    const endMs = performance.now() + 1500;
    const [result] = await runWithinDeadline(() => endMs - performance.now(), declare);
    expect(result).toMatchObject({ kind: 'rejected', error: { reason: 'unknown-outcome' } });
    portal.proxy.reset();
    await declare();
    const operations = portal.proxy.calls.map(({ operation }) => operation);
    expect(operations.toSorted()).toEqual(['BatchGetItem', 'Query', 'TransactWriteItems']);
    expect(await readWritten()).toHaveLength(2);
  });

  it('a reader finds the shards in use with one query, and reads the others of the first 32 shards in parallel', async () => {
    const tenant = newId();
    const { client, tables } = portal.engine;
    const log = createDeclarationLog(portal.proxy.engine.client, tables.Declarations);
    const measure = () => measureCalls(portal.proxy, () => log.readLatestNumbers(tenant));
    const quiet = { units: { Declarations: { read: 32 + 1, write: 0 } }, serialRoundTrips: 1 };
    expect(await measure()).toEqual(quiet);
    await client.send(new PutCommand({ TableName: tables.Declarations, Item: { pk: `LOG#${tenant}`, sk: 200 } }));
    expect(await measure()).toEqual({ units: { Declarations: { read: 32 + 2, write: 0 } }, serialRoundTrips: 2 });
  });

  it('a declaration is rejected with the cause if others use every sequence number until its deadline', async () => {
    const { declare, readWritten } = await createSupplier(1, buildContext(newId()), newId());
    portal.proxy.injectFault({ how: 'conflict', mentioning: 'LOG#' });
    const endMs = performance.now() + 1500;
    const [result] = await runWithinDeadline(() => endMs - performance.now(), declare);
    expect(result).toMatchObject({ kind: 'rejected', error: { reason: 'not-written' } });
    const { error } = result as { error: ServiceError };
    expect(String(error.cause)).toContain('Other declarations used the next numbers of the log first');
    expect(portal.proxy.hits.get('conflict')).toBeGreaterThan(2);
    expect(await readWritten()).toEqual([]);
  });

  it('an entry of the log contains the shard and the number of the previous declaration of its invoice', async () => {
    const tenant = newId();
    const { declare } = await createSupplier(1, buildContext(newId()), tenant);
    for (const store of [createStore(), createStore(), createStore()]) await declare(['1'], store);
    const shards = await readLog(tenant);
    const found = shards.flatMap((entries, shard) =>
      entries.map(({ number, declarations: [declaration] }) => ({ shard, number, ...declaration })),
    );
    const [first, second, third] = [1, 2, 3].map((wanted) =>
      found.find(({ revision }) => revision?.revision === wanted),
    );
    expect(first?.previousPosition).toBeNull();
    expect(second?.previousPosition).toEqual({ shard: first?.shard, number: first?.number });
    expect(third?.previousPosition).toEqual({ shard: second?.shard, number: second?.number });
  });

  it('a reader of the log waits for missing and incomplete entries, and returns complete entries without a gap', async () => {
    const tenant = newId();
    const { scope, declare } = await createSupplier(1, buildContext(newId()), tenant);
    await declare();
    const shard = (await readLog(tenant)).findIndex((entries) => entries.length > 0);
    const { client, tables } = portal.engine;
    const put = (Item: object) => client.send(new PutCommand({ TableName: tables.Declarations, Item }));
    const items = [2, 3].map((number) => {
      const revisions = [buildRevision({ invoiceId: '1', revision: number })];
      return buildDeclarationItems(scope, revisions, { shard, number }).toReversed();
    });
    const [[secondRevision, second], [thirdRevision, third]] = items as [[object, object], [object, object]];
    for (const item of [third, thirdRevision]) await put(item);
    const read = createDeclarationLog(client, tables.Declarations).readAfter(tenant, shard, 1);
    for (const item of [second, secondRevision]) {
      await setTimeout(600);
      await put(item);
    }
    expect((await read).map(({ number, declarations }) => [number, declarations.map(formatRevision)])).toEqual([
      [2, [`${scope.supplierId} 1 2`]],
      [3, [`${scope.supplierId} 1 3`]],
    ]);
  });

  it('a declaration reads the latest entry of the log again if the first read fails, and is rejected if both reads fail', async () => {
    const { ids, declare, readWritten } = await createSupplier(1, buildContext(newId()), newId());
    portal.proxy.injectFault({ how: 'error', operation: 'Query', times: 1 });
    expect((await declare(ids, createStore())).map(({ kind }) => kind)).toEqual(['declared']);
    portal.proxy.injectFault({ how: 'error', operation: 'Query' });
    expect((await declare(ids, createStore())).map(({ kind }) => kind)).toEqual(['rejected']);
    expect(await readWritten()).toHaveLength(1);
  });
});
