import { setTimeout } from 'node:timers/promises';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createDeclarationLog, type LogEntry, type OwnedRevision } from '../../../lib/tables/declaration-table.ts';
import type { DeclarationContext } from '../../../lib/domain/declaration.ts';
import { effectiveTolerance } from '../../../lib/domain/tolerance.ts';
import { type DeclarationStore, declareAmounts } from '../../../lib/invoices/declare-amounts.ts';
import { buildDeclarationItems } from '../../../lib/tables/history-items.ts';
import { foundOfRequest, writtenByRequest } from '../../support/data/stored-invoices.ts';
import { declarationStore } from '../../support/data/declare-one.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, aRevision, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();

/** A supplier with so many invoices, numbered from 1, and what a request of its declares. */
async function aSupplier(count: number, context = contextOf(newId()), tenant = 't.example') {
  const { tables } = portal.proxy.engine;
  const scope = { tenant, supplierId: newId() };
  const ids = Array.from({ length: count }, (_, index) => `${index + 1}`);
  const invoices = ids.map((invoiceId) => anInvoice({ invoiceId }));
  await seedInvoices(portal.engine, scope, invoices);
  const store = newStore();
  const { requestId } = context;
  let amount = 0;
  return {
    scope,
    ids,
    store,
    requestId,
    /** Declares another amount of each of these invoices. */
    declare: (declared = ids, through: DeclarationStore = store) =>
      declareAmounts(
        through,
        scope,
        declared.map((invoiceId) => ({ invoiceId, amount: (amount += 1) })),
        context,
      ),
    found: () => foundOfRequest(portal.engine, requestId),
    written: async () => (await writtenByRequest(portal.engine, scope, ids)).get(requestId) ?? [],
    /** The keys of the request's entries in the log. */
    entries: async () => {
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

/** What a new process writes through. */
const newStore = () => declarationStore(portal.proxy.engine);

const textOf = ({ scope, revision }: OwnedRevision) => `${scope.supplierId} ${revision.invoiceId} ${revision.revision}`;

function contextOf(requestId: string): DeclarationContext {
  const tolerance = effectiveTolerance(null, null);
  return { tolerance, userId: '1', requestId, now: new Date(), newDeclarationId: newId };
}

describe('what a request declared is found', () => {
  it.each([
    { what: 'invoices, 18 in a transaction', chosen: undefined, count: 6 },
    { what: 'times one invoice, one after the other', chosen: Array<string>(100).fill('1'), count: 100 },
  ])('of 100 $what, with $count entries', async ({ chosen, count }) => {
    const { declare, found, written, entries } = await aSupplier(100);
    await declare(chosen);
    expect(await written()).toHaveLength(100);
    expect(await found()).toEqual(await written());
    expect(await entries()).toHaveLength(count);
  });

  it.each([
    { how: 'lose-answer', times: 1, count: 1 },
    { how: 'conflict', times: 1, count: 1 },
    // After the second the group is divided.
    { how: 'conflict', times: 2, count: 2 },
  ] as const)('when its transaction meets $how $times times, with $count entries', async ({ how, times, count }) => {
    const { ids, declare, found, written, entries } = await aSupplier(10);
    portal.proxy.fail({ how, times, operation: 'TransactWriteItems' });
    await declare();
    expect(portal.proxy.hits.get(how)).toBe(times);
    expect(await written()).toHaveLength(ids.length);
    expect(await found()).toEqual(await written());
    expect(await entries()).toHaveLength(count);
  });

  it('when two suppliers declare invoices of the same ids under the same request id, one of them twice', async () => {
    const context = contextOf(newId());
    const [one, other] = [await aSupplier(5, context), await aSupplier(5, context)];
    for (const { declare } of [one, other, one]) await declare();
    const written = [...(await one.written()), ...(await other.written())];
    expect(written).toHaveLength(15);
    expect((await one.found()).toSorted()).toEqual(written.toSorted());
  });
});

/** The entries of a tenant's log, shard by shard. */
async function logOf(tenant: string) {
  const log = createDeclarationLog(portal.engine.client, portal.engine.tables.Declarations);
  return Promise.all(
    Array.from({ length: log.shardCount }, async (_, shard) => {
      const entries: LogEntry[] = [];
      const latest = await log.readLatestNumber(tenant, shard);
      while (entries.length < latest) entries.push(...(await log.readAfter(tenant, shard, entries.length)));
      return entries;
    }),
  );
}

describe('the log of a tenant', () => {
  it('has every declaration once and no gap, whatever numbers other processes have taken meanwhile', async () => {
    const tenant = newId();
    const suppliers = await Promise.all(Array.from({ length: 6 }, () => aSupplier(10, contextOf(newId()), tenant)));
    portal.proxy.reset();
    // Each through a process of its own; there are fewer shards.
    await Promise.all(suppliers.flatMap(({ ids, declare }) => ids.map((id) => declare([id], newStore()))));
    const calls = portal.proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems');
    expect(calls.length).toBeGreaterThan(60);
    await Promise.all(suppliers.map(({ declare }) => declare()));

    const shards = await logOf(tenant);
    for (const entries of shards) {
      expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
    }
    const logged = shards.flat().flatMap(({ declarations }) => declarations.map(textOf));
    const written = await Promise.all(suppliers.map((supplier) => supplier.written()));
    expect(logged.toSorted()).toEqual(written.flat().toSorted());
    expect(logged).toHaveLength(120);
  });

  it('says where the declaration before another one stands', async () => {
    const tenant = newId();
    const { declare } = await aSupplier(1, contextOf(newId()), tenant);
    for (const store of [newStore(), newStore(), newStore()]) await declare(['1'], store);
    const shards = await logOf(tenant);
    const found = shards.flatMap((entries, shard) =>
      entries.map(({ number, declarations: [declaration] }) => ({ shard, number, ...declaration })),
    );
    const [first, second, third] = [1, 2, 3].map((wanted) =>
      found.find(({ revision }) => revision?.revision === wanted),
    );
    expect(first?.follows).toBeNull();
    expect(second?.follows).toEqual({ shard: first?.shard, number: first?.number });
    expect(third?.follows).toEqual({ shard: second?.shard, number: second?.number });
  });

  it('is read without a gap, and with whole entries only: what is not there yet is waited for', async () => {
    const tenant = newId();
    const { scope, declare } = await aSupplier(1, contextOf(newId()), tenant);
    await declare();
    const shard = (await logOf(tenant)).findIndex((entries) => entries.length > 0);
    const { client, tables } = portal.engine;
    const put = (Item: object) => client.send(new PutCommand({ TableName: tables.Declarations, Item }));
    const items = [2, 3].map((number) =>
      buildDeclarationItems(scope, [aRevision('1', number)], { shard, number }).toReversed(),
    );
    const [[secondRevision, second], [thirdRevision, third]] = items as [[object, object], [object, object]];
    for (const item of [third, thirdRevision]) await put(item);
    const read = createDeclarationLog(client, tables.Declarations).readAfter(tenant, shard, 1);
    for (const item of [second, secondRevision]) {
      await setTimeout(600);
      await put(item);
    }
    expect((await read).map(({ number, declarations }) => [number, declarations.map(textOf)])).toEqual([
      [2, [`${scope.supplierId} 1 2`]],
      [3, [`${scope.supplierId} 1 3`]],
    ]);
  });

  it('is read once more when its latest entry could not be read beside the invoice', async () => {
    const { ids, declare, written } = await aSupplier(1, contextOf(newId()), newId());
    portal.proxy.fail({ how: 'error', operation: 'Query', times: 1 });
    expect((await declare(ids, newStore())).map(({ kind }) => kind)).toEqual(['declared']);
    portal.proxy.fail({ how: 'error', operation: 'Query' });
    expect((await declare(ids, newStore())).map(({ kind }) => kind)).toEqual(['rejected']);
    expect(await written()).toHaveLength(1);
  });
});
