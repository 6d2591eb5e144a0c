import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { cachedPublicKeys } from '../auth/key-cache.ts';
import { generateSigningKey } from '../auth/key-pairs.ts';
import { createPasswordProofs } from '../auth/password-proofs.ts';
import { verifyPassword } from '../auth/passwords.ts';
import { signToken, type TokenUser, tokenVerifier } from '../auth/tokens.ts';
import { whileVerifying } from '../domain/errors.ts';
import { createEventBus } from '../events/event-bus.ts';
import { createAccountGuard } from '../rate-limit/account-guard.ts';
import { createLoginGuard } from '../rate-limit/login-guard.ts';
import { ACCOUNT_POLICY, LOGIN_POLICY } from '../rate-limit/policies.ts';
import { createSlidingWindow } from '../rate-limit/sliding-window.ts';
import { pause } from '../runtime/attempts.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import { systemClock } from '../runtime/clock.ts';
import { currentDeadline } from '../runtime/deadline.ts';
import { eventBusName, tableName, tokenParties } from '../runtime/env.ts';
import { newUuid } from '../runtime/ids.ts';
import { recordCall } from '../runtime/usage.ts';
import { createDayIndexes } from '../services/day-indexes.ts';
import { createAccountTable } from '../storage/access/account-table.ts';
import { createLoginGuardTable } from '../storage/access/login-guard-table.ts';
import { createRateCounterTable } from '../storage/access/rate-counter-table.ts';
import {
  createPublicKeyReader,
  createSigningKeyReader,
  createSigningKeyTables,
} from '../storage/access/signing-key-tables.ts';
import { createDirectoryTable } from '../storage/directory/directory-table.ts';
import { createDocumentClient } from '../storage/dynamodb/document-client.ts';
import { createDayIndexTable } from '../storage/invoices/day-index-table.ts';
import { createDeclarationStore } from '../storage/invoices/invoice-transaction.ts';
import { createInvoiceRows } from '../storage/invoices/row-table.ts';
import { createInvoiceTable } from '../storage/invoices/invoice-table.ts';

type Client = DynamoDBDocumentClient;

// Every handler with its ports, over the tables named in the environment. A bundle has only those of its function.

/** `POST /apidev/v1/login`. */
export const loginPorts = (client = serviceClient()) => ({
  directory: directory(client),
  guards: credentialGuards(client, 'LOGIN'),
  verifyPassword,
  signToken: tokenSigner(client),
});

/** `GET /apidev/v1/supplier-portal/invoices`. */
export const listInvoicesPorts = (client = serviceClient()) => ({
  ...supplierPorts(client),
  lists: invoiceLists(client),
});

/** `GET /apidev/v1/supplier-portal/invoices/{id}`. */
export const getInvoicePorts = (client = serviceClient()) => ({
  ...supplierPorts(client),
  invoices: invoiceTable(client),
});

/** `POST /apidev/v1/supplier-portal/invoices/declare`. */
export const declareInvoicePorts = (client = serviceClient()) => ({
  ...supplierPorts(client),
  declarations: declarationStore(client),
});

/** `POST /apidev/v1/supplier-portal/invoices/declare-batch`. */
export const declareBatchPorts = declareInvoicePorts;

/** `POST /apidev/v1/supplier-portal/invoices/validate`. */
export const validateAmountPorts = getInvoicePorts;

/** `POST /apidev/legacy/{WSName}`. */
export const legacyDispatchPorts = (client = serviceClient()) => ({
  directory: directory(client),
  limiter: requestLimiter(client),
  guards: credentialGuards(client, 'LEGACY'),
  verifyWithProof: createPasswordProofs(verifyPassword, systemClock),
  lists: invoiceLists(client),
  invoices: invoiceTable(client),
  declarations: declarationStore(client),
});

/** The rotation of the signing key, which is no request: its calls have no deadline. */
export const rotateSigningKeyPorts = () => ({
  tables: createSigningKeyTables(createDocumentClient(), {
    directory: tableName('DIRECTORY'),
    signingKeys: tableName('SIGNING_KEYS'),
  }),
  generate: () => generateSigningKey(newUuid()),
  pause,
});

/** The publication of events, which reads no table: the stream brings what is new. */
export const publishEventsPorts = () => ({ putEvents: createEventBus(eventBusName()) });

// What several of them share.

/** The document client of a function: each call ends by the deadline of its request, and its cost is added to it. */
export const serviceClient = () => createDocumentClient({ onCall: recordCall, deadlineOf: currentDeadline });

/** The rate limit of requests. */
export const requestLimiter = (client: Client) =>
  createSlidingWindow(createRateCounterTable(client, tableName('RATE_COUNTERS')));

const directory = (client: Client) => createDirectoryTable(client, tableName('DIRECTORY'));

const invoiceTable = (client: Client) => createInvoiceTable(client, tableName('INVOICES'));

const declarationStore = (client: Client) =>
  createDeclarationStore(client, { invoices: tableName('INVOICES'), declarations: tableName('DECLARATIONS') });

/** What every endpoint of a supplier checks a request with. */
function supplierPorts(client: Client) {
  const readPublicKeys = createPublicKeyReader(client, tableName('DIRECTORY'), systemClock);
  return {
    verifyToken: tokenVerifier(cachedPublicKeys(readPublicKeys, systemClock), tokenParties()),
    directory: directory(client),
    limiter: requestLimiter(client),
  };
}

// Some 300,000 entries, in a function of 1,024 MB.
const REMEMBERED_BYTES = 96 * 1024 * 1024;

function invoiceLists(client: Client) {
  const rows = createInvoiceRows(client, tableName('INVOICES'));
  const store = createDayIndexTable(client, tableName('DAY_INDEXES'), systemClock);
  return { rows, indexes: createDayIndexes(rows, store, createLruCache(REMEMBERED_BYTES)) };
}

/** Creates the guards of passwords: of sources, for each surface separately, and of accounts, for both surfaces. */
function credentialGuards(client: Client, surface: 'LOGIN' | 'LEGACY') {
  const sources = createLoginGuardTable(client, tableName('RATE_COUNTERS'), LOGIN_POLICY, surface);
  const accounts = createAccountTable(client, tableName('DIRECTORY'), ACCOUNT_POLICY, surface);
  return {
    ...createLoginGuard(sources, systemClock),
    beginAccountAttempt: createAccountGuard(accounts, systemClock),
  };
}

/** Signs tokens with the key that is in use now; SERVICE_UNAVAILABLE when it cannot be read. */
function tokenSigner(client: Client) {
  const readSigningKey = createSigningKeyReader(client, tableName('SIGNING_KEYS'));
  const parties = tokenParties();
  return async (user: TokenUser, now: Date): Promise<string> => {
    // Never kept: after a leak, what the old key signs is refused.
    const key = await whileVerifying(readSigningKey());
    if (!key) throw new Error('No signing key has been made yet.');
    return signToken(user, key, parties, { now, tokenId: newUuid() });
  };
}
