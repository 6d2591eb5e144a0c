import { DeleteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { SigningKey } from '../../../../lib/access/tokens.ts';
import type { Contract } from '../../../../lib/contracts/contract.ts';
import { declareInvoiceContract } from '../../../../lib/contracts/declare-invoice.ts';
import { listInvoicesContract } from '../../../../lib/contracts/list-invoices.ts';
import type { SupplierScope } from '../../../../lib/domain/invoice.ts';
import { fromInteger } from '../../../../lib/tables/dynamodb/values.ts';
import { newId, seedAccount } from '../../../support/data/seed.ts';
import type { TestEngine } from '../../../support/engine/engine.ts';
import { buildHeaders } from '../../../support/service/handlers.ts';
import { buildProxyEvent, type TestRequest } from '../../../support/service/proxy-event.ts';
import { seedSigningKey, issueToken } from '../../../support/service/tokens.ts';
import { importSupplier, invoiceIdAt, range } from './import-supplier.ts';

/** The users of one supplier. */
export interface Callers {
  readonly scope: SupplierScope;
  readonly signingKey: SigningKey;
  /** Builds the event of a request; each comes from another user than the one before, so that none meets its limit. */
  readonly eventOf: (contract: Contract, request: TestRequest) => object;
}

const TOLERANCE = { mode: 'PCT', tolerance_pct: fromInteger(5), auto_approve: true } as const;

/** Writes a supplier with some users (80: 2,000 pages within a minute, 25 for each), and logs each of them in. */
export async function seedCallers(engine: TestEngine, count = 80): Promise<Callers> {
  const signingKey = await seedSigningKey(engine);
  const [tenant, company, supplierId] = [newId(), newId(), newId()];
  const scope = { tenant: `${tenant}.example`, supplierId };
  const headers: Record<string, string>[] = [];
  for (let index = 0; index < count; index++) {
    const account = await seedAccount(engine, {
      tenant: { tenant: scope.tenant },
      company: { company_id: company },
      supplier: { supplier_id: supplierId, tolerance: TOLERANCE },
    });
    headers.push(buildHeaders(account, await issueToken(account.reference, signingKey)));
  }
  let next = 0;
  return {
    scope,
    signingKey,
    eventOf: (contract, request) => buildProxyEvent(contract, { ...request, headers: headers[next++ % count]! }),
  };
}

/** A supplier with invoices, which are listed over the longest range. */
export interface ListedSupplier {
  readonly count: number;
  readonly listOf: (query: Readonly<Record<string, string | number>>) => object;
  /** Declares the invoice at this place, from 0 on. */
  readonly declarationOf: (index: number) => object;
}

/** Writes a supplier with this many invoices. */
export async function seedListed(engine: TestEngine, count: number): Promise<ListedSupplier> {
  const { scope, eventOf } = await seedCallers(engine);
  await importSupplier(engine, scope, count);
  return {
    count,
    listOf: (query) => eventOf(listInvoicesContract, { query: { ...range, ...query } }),
    declarationOf: (index) =>
      eventOf(declareInvoiceContract, { body: { invoice_id: invoiceIdAt(index), amount: 1000 } }),
  };
}

/** Deletes the indexes of days that earlier processes have stored. */
export async function deleteDayIndexes({ client, tables }: TestEngine): Promise<void> {
  const TableName = tables.DayIndexes;
  const pages = paginateScan({ client }, { TableName, ProjectionExpression: 'pk, sk', Limit: 100 });
  for await (const { Items = [] } of pages) {
    for (const Key of Items) await client.send(new DeleteCommand({ TableName, Key }));
  }
}
