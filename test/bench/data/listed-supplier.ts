import { DeleteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { engineEnvironment } from '../../../infra/local/engine-client.ts';
import { listInvoicesContract } from '../../../lib/contracts/list-invoices.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { serviceBundles } from '../bundles/service.ts';
import { startWarm, type WarmProcess } from '../processes/warm.ts';
import { seedCallers } from './callers.ts';
import { eventOf } from './events.ts';
import { importSupplier, range } from './import-supplier.ts';

/** A supplier whose invoices are listed, over the longest range there is. */
export interface ListedSupplier {
  readonly count: number;
  /** The event of a list; each comes from another user than the one before, so that none meets its limit. */
  readonly eventOf: (query: Readonly<Record<string, string | number>>) => object;
}

// 2,000 pages within a minute, 30 for each.
const CALLERS = 80;

/** Writes a supplier with this many invoices. */
export async function seedListed(engine: TestEngine, count: number): Promise<ListedSupplier> {
  const { scope, all } = await seedCallers(engine, CALLERS);
  await importSupplier(engine, scope, count);
  let next = 0;
  return {
    count,
    eventOf(query) {
      const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
      const headers = all[next++ % all.length]?.headers ?? {};
      return eventOf(
        listInvoicesContract,
        headers,
        { query: { ...range, ...Object.fromEntries(words) } },
        { base64: true },
      );
    },
  };
}

/** Lets a new process of the function that lists do some work, on an engine or a door to it. */
export async function inNewLister<Result>(
  endpoint: string,
  work: (process: WarmProcess) => Promise<Result>,
): Promise<Result> {
  const { file, environment } = (await serviceBundles())['list-invoices'];
  const process = await startWarm({ file, environment: { ...environment, ...engineEnvironment(endpoint) } });
  try {
    return await work(process);
  } finally {
    await process.close();
  }
}

/** Deletes the indexes of days that processes have left each other. */
export async function forgetIndexes({ client, tables }: TestEngine): Promise<void> {
  const TableName = tables.DayIndexes;
  const pages = paginateScan({ client }, { TableName, ProjectionExpression: 'pk, sk', Limit: 100 });
  for await (const { Items = [] } of pages) {
    for (const Key of Items) await client.send(new DeleteCommand({ TableName, Key }));
  }
}
