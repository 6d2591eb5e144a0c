import type { SigningKey } from '../../../../lib/access/sign-token.ts';
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
import { importSupplier, buildInvoiceId, range } from './import-supplier.ts';

/** The users of one supplier. */
export interface Callers {
  readonly scope: SupplierScope;
  readonly signingKey: SigningKey;
  /** Builds the event of a request. The users take turns, so that none of them reaches its rate limit. */
  readonly buildEvent: (contract: Contract, request: TestRequest) => object;
}

const TOLERANCE = { mode: 'PCT', tolerance_pct: fromInteger(5), auto_approve: true } as const;

/** Creates a supplier with users and their tokens. 80 users can read 2,000 pages within a minute, 25 each. */
export async function seedCallers(engine: TestEngine, count = 80): Promise<Callers> {
  const signingKey = await seedSigningKey(engine);
  const [tenant, company, supplierId] = [newId(), newId(), newId()];
  const scope = { tenant: `${tenant}.example`, supplierId };
  const headers: Record<string, string>[] = [];
  let apiKey: string | undefined;
  for (let index = 0; index < count; index++) {
    const account = await seedAccount(engine, {
      tenant: { tenant: scope.tenant },
      company: { company_id: company },
      supplier: { supplier_id: supplierId, tolerance: TOLERANCE },
    });
    // All users have the same key. The first request of a process with another key would take one more round trip.
    apiKey ??= account.apiKey;
    const token = await issueToken(account.reference, signingKey);
    headers.push({ ...buildHeaders(account, token), 'x-api-key': apiKey });
  }
  let next = 0;
  return {
    scope,
    signingKey,
    buildEvent: (contract, request) => buildProxyEvent(contract, { ...request, headers: headers[next++ % count]! }),
  };
}

/** A supplier with invoices, and the events of its requests. */
export interface ListedSupplier {
  readonly count: number;
  /** Builds the event that lists invoices over the longest range. */
  readonly buildList: (query: Readonly<Record<string, string | number>>) => object;
  /** Builds the event that declares the invoice with this index. */
  readonly buildDeclaration: (index: number) => object;
}

// They can declare 200 invoices and read 600 pages within a minute.
const LISTING_USERS = 20;

/** Creates a supplier with this many invoices. */
export async function seedListed(engine: TestEngine, count: number): Promise<ListedSupplier> {
  const { scope, buildEvent } = await seedCallers(engine, LISTING_USERS);
  await importSupplier(engine, scope, count);
  return {
    count,
    buildList: (query) => buildEvent(listInvoicesContract, { query: { ...range, ...query } }),
    buildDeclaration: (index) =>
      buildEvent(declareInvoiceContract, { body: { invoice_id: buildInvoiceId(index), amount: 1000 } }),
  };
}
