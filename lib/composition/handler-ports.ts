import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  createPublicKeyCache,
  generateSigningKey,
  signToken,
  type TokenUser,
  createTokenVerifier,
} from '../access/tokens.ts';
import { createCachedPasswordVerifier, verifyPassword } from '../access/passwords.ts';
import { orServiceUnavailable } from '../domain/errors.ts';
import { createEventBus } from '../events/publish-records.ts';
import { createAccountGuard } from '../access/account-guard.ts';
import { createLoginGuard } from '../access/login-guard.ts';
import { ACCOUNT_POLICY, LOGIN_POLICY } from '../access/policies.ts';
import { createSlidingWindow } from '../access/sliding-window.ts';
import { pause } from '../runtime/attempts.ts';
import { systemClock } from '../runtime/clock.ts';
import { requireVariable, getTableName, readTokenParties } from '../runtime/env.ts';
import { newUuid } from '../runtime/ids.ts';
import { createAccountTable } from '../tables/account-table.ts';
import { createLoginGuardTable, createRateCounterTable } from '../tables/rate-counter-tables.ts';
import { createPublicKeyReader, createSigningKeyReader, createSigningKeyTables } from '../tables/signing-key-tables.ts';
import { createDirectoryTable } from '../tables/directory-table.ts';
import { createDocumentClient } from '../tables/dynamodb/document-client.ts';
import { createDeclarationStore } from '../tables/invoice-transaction.ts';
import { createInvoiceLists } from '../tables/invoice-lists.ts';
import { createInvoiceTable } from '../tables/invoice-table.ts';

type Client = DynamoDBDocumentClient;

// Each factory creates the ports of one or more functions. Environment variables contain the names of the tables. The
// bundle of a function contains only the factories that the function imports.

/** Creates the ports of the rotation of the signing key. */
export const createRotationPorts = () => ({
  tables: createSigningKeyTables(createDocumentClient(), {
    directory: getTableName('DIRECTORY'),
    signingKeys: getTableName('SIGNING_KEYS'),
  }),
  generate: () => generateSigningKey(newUuid()),
  pause,
});

export const createPublishingPorts = () => ({ putEvents: createEventBus(requireVariable('EVENT_BUS_NAME')) });

const createRequestLimiter = (client: Client) =>
  createSlidingWindow(createRateCounterTable(client, getTableName('RATE_COUNTERS')));

const createDirectory = (client: Client) => createDirectoryTable(client, getTableName('DIRECTORY'));

export const createInvoicePort = (client: Client) => createInvoiceTable(client, getTableName('INVOICES'));

export const createDeclarationPort = (client: Client) =>
  createDeclarationStore(client, {
    invoices: getTableName('INVOICES'),
    declarations: getTableName('DECLARATIONS'),
  });

/** Creates the ports that check the access to a supplier endpoint. The ports of the endpoint use the same `client`. */
export function createSupplierPorts(client = createDocumentClient()) {
  const readPublicKeys = createPublicKeyReader(client, getTableName('DIRECTORY'), systemClock);
  return {
    client,
    verifyToken: createTokenVerifier(createPublicKeyCache(readPublicKeys, systemClock), readTokenParties()),
    directory: createDirectory(client),
    limiter: createRequestLimiter(client),
  };
}

export const createListPort = (client: Client) => createInvoiceLists(client, getTableName('INVOICES'));

export const createLoginPorts = (client = createDocumentClient()) => ({
  directory: createDirectory(client),
  guards: createCredentialGuards(client, 'LOGIN'),
  verifyPassword,
  signToken: createTokenSigner(client),
});

/** Creates the ports of the legacy route, which serves every endpoint. */
export const createLegacyPorts = (client = createDocumentClient()) => ({
  directory: createDirectory(client),
  limiter: createRequestLimiter(client),
  guards: createCredentialGuards(client, 'LEGACY'),
  verifyWithProof: createCachedPasswordVerifier(verifyPassword, systemClock),
  lists: createListPort(client),
  invoices: createInvoicePort(client),
  declarations: createDeclarationPort(client),
});

/** Creates the guards of passwords. Each surface has its own guard of sources, and both have the guard of accounts. */
function createCredentialGuards(client: Client, surface: 'LOGIN' | 'LEGACY') {
  const sources = createLoginGuardTable(client, getTableName('RATE_COUNTERS'), LOGIN_POLICY, surface);
  const accounts = createAccountTable(client, getTableName('DIRECTORY'), ACCOUNT_POLICY, surface);
  return {
    ...createLoginGuard(sources, systemClock),
    beginAccountAttempt: createAccountGuard(accounts, systemClock),
  };
}

/** Creates the function that signs tokens. It throws SERVICE_UNAVAILABLE if the current key cannot be read. */
function createTokenSigner(client: Client) {
  const readSigningKey = createSigningKeyReader(client, getTableName('SIGNING_KEYS'));
  const parties = readTokenParties();
  return async (user: TokenUser, now: Date): Promise<string> => {
    // The key is not cached, because after a leak no token may be signed with the old key.
    const key = await orServiceUnavailable(readSigningKey());
    if (!key) throw new Error('There is no signing key yet.');
    return signToken(user, key, parties, { now, tokenId: newUuid() });
  };
}
