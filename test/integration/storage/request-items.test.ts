import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeclarationContext } from '../../../lib/domain/declaration.ts';
import { NothingWritten } from '../../../lib/domain/errors.ts';
import { effectiveTolerance } from '../../../lib/domain/tolerance.ts';
import { declareAmounts, type DeclarationStore } from '../../../lib/services/declare-amounts.ts';
import { createDeclarationStore } from '../../../lib/storage/invoices/invoice-transaction.ts';
import { requestPartition } from '../../../lib/storage/items/keys.ts';
import { foundOfRequest, writtenByRequest } from '../../support/data/declared-by-request.ts';
import { declareOne } from '../../support/data/declare-one.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();

/** A supplier with so many invoices, numbered from 1, and what a request of its declares. */
async function aSupplier(count: number, context = contextOf(newId())) {
  const { client, tables } = portal.proxy.engine;
  const scope = { tenant: 't.example', supplierId: newId() };
  const ids = Array.from({ length: count }, (_, index) => `${index + 1}`);
  const invoices = ids.map((invoiceId) => anInvoice({ invoiceId }));
  await seedInvoices(portal.engine, scope, invoices);
  const store = createDeclarationStore(client, { invoices: tables.Invoices, declarations: tables.Declarations });
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
    /** The request's entries as they are stored. */
    entries: async () => {
      const { Items = [] } = await portal.engine.client.send(
        new QueryCommand({
          TableName: tables.Declarations,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': requestPartition(requestId) },
        }),
      );
      return Items;
    },
  };
}

function contextOf(requestId: string): DeclarationContext {
  const tolerance = effectiveTolerance(null, null);
  return { tolerance, userId: '1', requestId, now: new Date(), newDeclarationId: newId };
}

describe('what a request declared is found', () => {
  it('however its transactions are divided', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 30 }).map(String), { minLength: 1, maxLength: 100 }),
      fc.integer({ min: 1, max: 20 }),
      async (chosen, largest) => {
        const { store, declare, found, written } = await aSupplier(30);
        await declare(chosen, {
          ...store,
          async commit(scope, changes, shard) {
            if (changes.length > largest) throw new NothingWritten(new Error('too many'));
            return store.commit(scope, changes, shard);
          },
        });
        expect(await written()).toHaveLength(chosen.length);
        expect(await found()).toEqual(await written());
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });

  it.each([
    { what: 'invoices, 18 in a transaction', chosen: undefined, count: 6 },
    { what: 'times one invoice, 50 in a transaction', chosen: Array<string>(100).fill('1'), count: 2 },
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

  it('when it lost a race, and what the other one declared is found apart', async () => {
    const { scope, ids, store, declare, found, written } = await aSupplier(10);
    const rival = contextOf(newId());
    await declare(ids, {
      ...store,
      async getMany(...read) {
        const invoices = await store.getMany(...read);
        await declareOne(store, scope, { invoiceId: '4', amount: 77 }, rival);
        return invoices;
      },
    });
    expect(await written()).toContain(`${scope.supplierId} 4 2`);
    expect(await found()).toEqual(await written());
    expect(await foundOfRequest(portal.engine, rival.requestId)).toEqual([`${scope.supplierId} 4 1`]);
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

describe('an entry of a request', () => {
  it('is never overwritten: what meets it under its number gets another one', async () => {
    const { declare, found, written, entries, requestId } = await aSupplier(3);
    const { client, tables } = portal.engine;
    let number = '';
    portal.proxy.watch = (_, input) => {
      number ||= /"REQUEST#.*?"sk":\{"N":"(\d+)"/.exec(JSON.stringify(input))?.[1] ?? '';
    };
    const standing = { pk: requestPartition(requestId), owner: 'stood before', declarations: [] };
    const wait = () =>
      client.send(new PutCommand({ TableName: tables.Declarations, Item: { ...standing, sk: Number(number) } }));
    portal.proxy.fail({ how: 'deliver-late', operation: 'TransactWriteItems', times: 1, wait });

    expect((await declare()).map(({ kind }) => kind)).toEqual(['declared', 'declared', 'declared']);
    expect(await written()).toHaveLength(3);
    expect(await found()).toEqual(await written());
    expect((await entries()).filter(({ owner }) => owner === 'stood before')).toHaveLength(1);
    expect(await entries()).toHaveLength(2);
  });
});
