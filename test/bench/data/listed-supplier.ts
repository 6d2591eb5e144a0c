import { DeleteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { declareInvoiceContract } from '../../../lib/contracts/declare-invoice.ts';
import { listInvoicesContract } from '../../../lib/contracts/list-invoices.ts';
import type { Contract } from '../../../lib/contracts/contract.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { seedCallers } from './callers.ts';
import { eventOf, type Request } from './events.ts';
import { importSupplier, invoiceIdAt, range } from './import-supplier.ts';

/** A supplier whose invoices are listed, over the longest range there is. */
export interface ListedSupplier {
  readonly count: number;
  /** The event of a list; each comes from another user than the one before, so that none meets its limit. */
  readonly eventOf: (query: Readonly<Record<string, string | number>>) => object;
  /** The event that declares the invoice at this place, from 0 on. */
  readonly declarationOf: (index: number) => object;
}

// 2,000 pages within a minute, 30 for each.
const CALLERS = 80;

/** Writes a supplier with this many invoices; `fill` says how they come in. */
export async function seedListed(
  engine: TestEngine,
  count: number,
  fill: (scope: SupplierScope) => Promise<void> = (scope) => importSupplier(engine, scope, count),
): Promise<ListedSupplier> {
  const { scope, all } = await seedCallers(engine, CALLERS);
  await fill(scope);
  let next = 0;
  const newEvent = (contract: Contract, request: Request) =>
    eventOf(contract, all[next++ % all.length]?.headers ?? {}, request, { base64: true });
  return {
    count,
    eventOf(query) {
      const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
      return newEvent(listInvoicesContract, { query: { ...range, ...Object.fromEntries(words) } });
    },
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
