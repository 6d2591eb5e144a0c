import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { cachedPublicKeys, generateSigningKey, signToken, type TokenUser, tokenVerifier } from '../access/tokens.ts';
import { createPasswordProofs, verifyPassword } from '../access/passwords.ts';
import { orServiceUnavailable } from '../domain/errors.ts';
import { createEventBus } from '../events/publish-records.ts';
import { createAccountGuard } from '../access/account-guard.ts';
import { createLoginGuard } from '../access/login-guard.ts';
import { ACCOUNT_POLICY, LOGIN_POLICY } from '../access/policies.ts';
import { createSlidingWindow } from '../access/sliding-window.ts';
import { pause } from '../runtime/attempts.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import { systemClock } from '../runtime/clock.ts';
import { requireVariable, requireTableName, readTokenParties } from '../runtime/env.ts';
import { newUuid } from '../runtime/ids.ts';
import type { InvoiceLists } from '../invoices/invoice-lists.ts';
import { createAccountTable } from '../tables/account-table.ts';
import { createLoginGuardTable, createRateCounterTable } from '../tables/rate-counter-tables.ts';
import { createPublicKeyReader, createSigningKeyReader, createSigningKeyTables } from '../tables/signing-key-tables.ts';
import { createDirectoryTable } from '../tables/directory-table.ts';
import { createDocumentClient } from '../tables/dynamodb/document-client.ts';
import { createDayIndexTable } from '../tables/day-index-table.ts';
import { createDeclarationStore } from '../tables/invoice-transaction.ts';
import { createInvoiceRows } from '../tables/row-table.ts';
import { createInvoiceTable } from '../tables/invoice-table.ts';

type Client = DynamoDBDocumentClient;

// The ports of all functions, over the tables named in the environment. A bundle contains only the ports that its
// function imports.

/** Creates the ports of the rotation of the signing key. */
export const createRotationPorts = () => ({
  tables: createSigningKeyTables(createDocumentClient(), {
    directory: requireTableName('DIRECTORY'),
    signingKeys: requireTableName('SIGNING_KEYS'),
  }),
  generate: () => generateSigningKey(newUuid()),
  pause,
});

export const createPublishingPorts = () => ({ putEvents: createEventBus(requireVariable('EVENT_BUS_NAME')) });

const requestLimiter = (client: Client) =>
  createSlidingWindow(createRateCounterTable(client, requireTableName('RATE_COUNTERS')));

const directory = (client: Client) => createDirectoryTable(client, requireTableName('DIRECTORY'));

export const createInvoicePort = (client: Client) => createInvoiceTable(client, requireTableName('INVOICES'));

export const createDeclarationPort = (client: Client) =>
  createDeclarationStore(client, {
    invoices: requireTableName('INVOICES'),
    declarations: requireTableName('DECLARATIONS'),
  });

/** Creates the ports that check the access to a supplier endpoint, with the client for the ports of the endpoint. */
export function createSupplierPorts(client = createDocumentClient()) {
  const readPublicKeys = createPublicKeyReader(client, requireTableName('DIRECTORY'), systemClock);
  return {
    client,
    verifyToken: tokenVerifier(cachedPublicKeys(readPublicKeys, systemClock), readTokenParties()),
    directory: directory(client),
    limiter: requestLimiter(client),
  };
}

// Some 300,000 entries, in a function of 1,024 MB.
const CACHE_BYTES = 96 * 1024 * 1024;

/** Creates the sources of the lists of invoices, with the indexes of days. */
export const createListPorts = (client: Client): InvoiceLists => ({
  rows: createInvoiceRows(client, requireTableName('INVOICES')),
  indexes: createDayIndexTable(client, requireTableName('DAY_INDEXES'), systemClock),
  memory: createLruCache(CACHE_BYTES),
});

export const createLoginPorts = (client = createDocumentClient()) => ({
  directory: directory(client),
  guards: credentialGuards(client, 'LOGIN'),
  verifyPassword,
  signToken: tokenSigner(client),
});

/** Creates the ports of the legacy route, which serves every endpoint. */
export const createLegacyPorts = (client = createDocumentClient()) => ({
  directory: directory(client),
  limiter: requestLimiter(client),
  guards: credentialGuards(client, 'LEGACY'),
  verifyWithProof: createPasswordProofs(verifyPassword, systemClock),
  lists: createListPorts(client),
  invoices: createInvoicePort(client),
  declarations: createDeclarationPort(client),
});

/** Creates the guards of passwords: of sources, for each surface separately, and of accounts, for both surfaces. */
function credentialGuards(client: Client, surface: 'LOGIN' | 'LEGACY') {
  const sources = createLoginGuardTable(client, requireTableName('RATE_COUNTERS'), LOGIN_POLICY, surface);
  const accounts = createAccountTable(client, requireTableName('DIRECTORY'), ACCOUNT_POLICY, surface);
  return {
    ...createLoginGuard(sources, systemClock),
    beginAccountAttempt: createAccountGuard(accounts, systemClock),
  };
}

/** Creates the function that signs tokens with the current key; it throws SERVICE_UNAVAILABLE if the read fails. */
function tokenSigner(client: Client) {
  const readSigningKey = createSigningKeyReader(client, requireTableName('SIGNING_KEYS'));
  const parties = readTokenParties();
  return async (user: TokenUser, now: Date): Promise<string> => {
    // The key is not cached, so that after a rotation because of a leak, no token is signed with the old key.
    const key = await orServiceUnavailable(readSigningKey());
    if (!key) throw new Error('There is no signing key yet.');
    return signToken(user, key, parties, { now, tokenId: newUuid() });
  };
}
