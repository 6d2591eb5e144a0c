import { DeleteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { declareInvoiceContract } from '../../../../lib/contracts/declare-invoice.ts';
import { listInvoicesContract } from '../../../../lib/contracts/list-invoices.ts';
import type { Contract } from '../../../../lib/contracts/contract.ts';
import type { TestEngine } from '../../../support/engine/engine.ts';
import { buildProxyEvent, type TestRequest } from '../../../support/service/proxy-event.ts';
import { type Callers, seedCallers } from './callers.ts';
import { importSupplier, invoiceIdAt, range } from './import-supplier.ts';

/** A supplier whose invoices are listed, over the longest range there is. */
export interface ListedSupplier {
  readonly count: number;
  /** The event of a list; each comes from another user than the one before, so that none meets its limit. */
  readonly eventOf: (query: Readonly<Record<string, string | number>>) => object;
  /** The event that declares the invoice at this place, from 0 on. */
  readonly declarationOf: (index: number) => object;
}

/** How many users list: 2,000 pages within a minute, 30 for each. */
export const LISTERS = 80;

/** Writes a supplier with this many invoices. */
export async function seedListed(engine: TestEngine, count: number): Promise<ListedSupplier> {
  const callers = await seedCallers(engine, LISTERS);
  await importSupplier(engine, callers.scope, count);
  return listedSupplier(callers, count);
}

/** The requests of these users, whose supplier has this many invoices. */
export function listedSupplier({ all }: Callers, count: number): ListedSupplier {
  let next = 0;
  const newEvent = (contract: Contract, request: TestRequest) =>
    buildProxyEvent(contract, { ...request, headers: all[next++ % all.length]?.headers ?? {} });
  return {
    count,
    eventOf: (query) => newEvent(listInvoicesContract, { query: { ...range, ...query } }),
    declarationOf: (index) =>
      newEvent(declareInvoiceContract, { body: { invoice_id: invoiceIdAt(index), amount: 1000 } }),
  };
}

/** Deletes the indexes of days that processes have left each other. */
export async function forgetIndexes({ client, tables }: TestEngine): Promise<void> {
  const TableName = tables.DayIndexes;
  const pages = paginateScan({ client }, { TableName, ProjectionExpression: 'pk, sk', Limit: 100 });
  for await (const { Items = [] } of pages) {
    for (const Key of Items) await client.send(new DeleteCommand({ TableName, Key }));
  }
}
