import { fromInteger } from '../../../../lib/tables/dynamodb/values.ts';
import type { TestEngine } from '../../../support/engine/engine.ts';
import { newId, seedAccount } from '../../../support/data/seed.ts';
import { seedSigningKey, tokenFor } from '../../../support/service/tokens.ts';
import type { SupplierScope } from '../../../../lib/domain/invoice.ts';
import type { SigningKey } from '../../../../lib/access/tokens.ts';
import type { UserReference } from '../../../../lib/domain/directory.ts';

/** A user with its credentials. */
export interface Caller {
  readonly user: UserReference;
  readonly headers: Readonly<Record<string, string>>;
}

/** The users of one supplier: so many that none meets its limits. */
export interface Callers {
  readonly scope: SupplierScope;
  readonly apiKey: string;
  readonly signingKey: SigningKey;
  readonly all: readonly Caller[];
}

const TOLERANCE = { mode: 'PCT', tolerance_pct: fromInteger(5), auto_approve: true } as const;

/** Writes a supplier with this many users, and logs each of them in. */
export async function seedCallers(engine: TestEngine, count: number): Promise<Callers> {
  const signingKey = await seedSigningKey(engine);
  const [tenant, company, supplier] = [newId(), newId(), newId()];
  const accounts = [];
  for (let index = 0; index < count; index++) {
    accounts.push(
      await seedAccount(engine, {
        tenant: { tenant: `${tenant}.example` },
        company: { company_id: company },
        supplier: { supplier_id: supplier, tolerance: TOLERANCE },
      }),
    );
  }
  const [{ scope, apiKey } = { scope: { tenant, supplierId: supplier }, apiKey: '' }] = accounts;
  const all = accounts.map(async (account): Promise<Caller> => {
    const token = await tokenFor(account.reference, signingKey);
    const headers = { tenant: scope.tenant, authorization: `Bearer ${token}`, 'x-api-key': apiKey };
    return { user: account.reference, headers };
  });
  return { scope, apiKey, signingKey, all: await Promise.all(all) };
}
