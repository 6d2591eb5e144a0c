import { createSigningKeyReader } from '../../../lib/tables/signing-key-tables.ts';
import type { TestEngine } from '../engine/engine.ts';
import type { RequestParts } from './portal-requests.ts';
import { type Account, type AccountOverrides, seedAccount } from '../data/seed.ts';
import { buildInvoice, seedInvoices } from '../data/seed-invoices.ts';
import { issueToken } from './tokens.ts';

/** Writes an account with an invoice to the engine of a running service. Returns the parts of its requests. */
export async function newRequestParts(
  engine: TestEngine,
  overrides?: AccountOverrides,
): Promise<RequestParts & { readonly account: Account }> {
  const account = await seedAccount(engine, overrides);
  const [invoice] = await seedInvoices(engine, account.scope, [buildInvoice()]);
  const signingKey = await createSigningKeyReader(engine.client, engine.tables.SigningKeys)();
  if (!signingKey || !invoice) throw new Error('The service has no signing key.');
  return {
    account,
    tenant: account.scope.tenant,
    authorization: `Bearer ${await issueToken(account.reference, signingKey)}`,
    apiKey: account.apiKey,
    email: account.email,
    password: account.password,
    playerId: 'phone-1',
    invoiceId: invoice.invoiceId,
    notes: 'two hours of waiting',
    search: 'cordoba',
  };
}
