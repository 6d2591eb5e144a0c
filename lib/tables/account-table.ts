import { foldLoginName, type LoginAccount, toTokensNotBeforeMs } from '../domain/directory.ts';
import type { AccountAttempt, AccountRecord, AccountStore, FailureCounter } from '../access/account-guard.ts';
import { ACCOUNT_POLICY } from '../domain/policies.ts';
import { systemClock } from '../runtime/clock.ts';
import { hmacSha256, newUuid } from '../runtime/ids.ts';
import { splitIntoChunks } from '../runtime/pages.ts';
import { type Attributes, getItem, type Key } from './dynamodb/reads.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { readInteger } from './dynamodb/values.ts';
import { buildExpiry, buildUpdate, type UpdatePart } from './dynamodb/updates.ts';
import { updateItem } from './dynamodb/writes.ts';
import { directoryKeys } from './keys.ts';

const { windowMs, periodMs } = ACCOUNT_POLICY;

// Matches a failure counter of a window, such as failures_124687_pVZ…w, and the trusted sources of a period, as s_692.
const NUMBERED_ATTRIBUTE = /^(?:failures_(?<window>\d+)(?:_.{22})?|s_(?<period>\d+))$/;

// The attribute with the id of the latest write of a failure.
const LATEST_FAILURE = 'failures_latest';

// The length of the expression of an update is limited to 4 KB.
const MAX_REMOVED_ATTRIBUTES = 100;

/** Builds the name of the counter of all untrusted sources in a window, such as failures_124687. */
export const buildFailureCounterName = (nowMs: number) => `failures_${Math.floor(nowMs / windowMs)}`;

/** Reads a string set of an item. A missing set is empty. */
const readSet = (item: object, name: string): ReadonlySet<string> =>
  (item as Readonly<Record<string, ReadonlySet<string> | undefined>>)[name] ?? new Set();

/**
 * Creates the store of accounts in Directory. failures_<window> is the counter of all untrusted sources, and
 * failures_<window>_<hash> that of one source, login name and route. The string set s_<period> contains the trusted
 * sources. A login name that does not exist has an item that expires at the end of the window.
 *
 * @example
 * { pk: 'ACCOUNT#demo.example#300', sk: 'ACCOUNT', password_hash: '$argon2id$…', failures_latest: '0b1f…',
 *   failures_124687: 3, 'failures_124687_pVZ…w': 2, 'failures_124687_k9c…A': 1, s_691: {'xT4…g'}, s_692: {'Qm1…8'} }
 */
export function createAccountTable(client: TableClient, table: string, surface: 'LOGIN' | 'LEGACY'): AccountStore {
  function buildCounterNames(counterHash: string, nowMs: number) {
    const account = buildFailureCounterName(nowMs);
    return { account, source: `${account}_${counterHash}` };
  }

  /** Makes a change on the condition that all counters of the attempt are below their limits. */
  function updateAccount(attempt: AccountAttempt, nowMs: number, change: UpdatePart) {
    const { account, counterHash, counters, obsoleteAttributes } = attempt;
    const names = buildCounterNames(counterHash, nowMs);
    const conditions = counters.map((counter) => buildBelowLimitCondition(counter, names[counter.name]));
    // Later writes remove the other obsolete attributes.
    const removal = buildAttributeRemoval(obsoleteAttributes.slice(0, MAX_REMOVED_ATTRIBUTES));
    const windowEndMs = (Math.floor(nowMs / windowMs) + 1) * windowMs;
    // The item of a user contains the password hash, so it never expires. A login that began before its user was erased
    // writes nothing afterwards.
    const isNotErased = { conditions: ['attribute_not_exists(erased_at)'] };
    const userPart = account.user ? isNotErased : buildExpiry(windowEndMs);
    const update = buildUpdate(table, buildKey(account), [...conditions, change, removal, userPart]);
    return updateItem(client, update);
  }

  return {
    async read(account, source, nowMs): Promise<AccountRecord> {
      const item = (await getItem<Attributes>(client, table, buildKey(account))) ?? {};
      const window = Math.floor(nowMs / windowMs);
      const period = Math.floor(nowMs / periodMs);
      const counterHash = computeShortHash(account, `${surface} ${source} ${foldLoginName(account.loginName)}`);
      const names = buildCounterNames(counterHash, nowMs);
      return {
        account,
        passwordHash: (item['password_hash'] as string | undefined) ?? null,
        tokensNotBeforeMs: toTokensNotBeforeMs(item['tokens_from'] as string | undefined),
        sourceHash: computeShortHash(account, source),
        counterHash,
        failures: { source: readInteger(item, names.source), account: readInteger(item, names.account) },
        trustedSources: { current: readSet(item, `s_${period}`), previous: readSet(item, `s_${period - 1}`) },
        obsoleteAttributes: Object.keys(item).filter((name) => isObsolete(name, window, period)),
      };
    },

    async recordFailure(attempt, nowMs) {
      const writeId = newUuid();
      const failure: UpdatePart = {
        set: [`${LATEST_FAILURE} = :writeId`],
        add: attempt.counters.map(({ name }) => `#${name} :one`),
        conditions: [`NOT ${LATEST_FAILURE} = :writeId`],
        values: { ':writeId': writeId, ':one': 1 },
      };
      const { kind, current = {} } = await updateAccount(attempt, nowMs, failure);
      // If the SDK repeats a write whose response was lost, the condition fails, but the item has the id of this write.
      // A failure is counted twice only if another failure was written in between.
      const { [LATEST_FAILURE]: latestWriteId } = current as { readonly [LATEST_FAILURE]?: string };
      return kind === 'written' || latestWriteId === writeId;
    },

    async recordSuccess(attempt, newTrustedSource, nowMs) {
      const period = Math.floor(nowMs / periodMs);
      const addition = { add: [`s_${period} :sources`], values: { ':sources': new Set([newTrustedSource]) } };
      const { kind } = await updateAccount(attempt, nowMs, newTrustedSource === null ? {} : addition);
      return kind === 'written';
    },
  };
}

/** Creates the functions with which operators count and clear the failures of an account. */
export function createAccountLocks(client: TableClient, table: string) {
  /** Reads the counters of the current window with a strongly consistent read. */
  async function readCounters(key: Key) {
    const item = (await getItem<Attributes>(client, table, key)) ?? {};
    const accountCounter = buildFailureCounterName(systemClock.now().getTime());
    const sourceCounters = Object.keys(item).filter((name) => name.startsWith(`${accountCounter}_`));
    return { item, accountCounter, sourceCounters };
  }

  return {
    /** Counts the failures of all sources, trusted or not. */
    async countFailures(tenant: string, userId: string) {
      const { item, sourceCounters } = await readCounters(directoryKeys.account(tenant, userId));
      return sourceCounters.reduce((sum, name) => sum + readInteger(item, name), 0);
    },

    async clearFailures(tenant: string, userId: string) {
      const key = directoryKeys.account(tenant, userId);
      const { accountCounter, sourceCounters } = await readCounters(key);
      const exists: UpdatePart = { conditions: ['attribute_exists(pk)'] };
      for (const counters of splitIntoChunks([accountCounter, ...sourceCounters], MAX_REMOVED_ATTRIBUTES)) {
        const update = buildUpdate(table, key, [buildAttributeRemoval(counters), exists]);
        await updateItem(client, update);
      }
    },
  };
}

/** True for the attributes that recordFailure writes: failure counters, and the id of the latest write. */
export function isFailureAttribute(name: string): boolean {
  return name.startsWith('failures_');
}

/** True if the window or the period of an attribute is over. Then no decision uses the attribute. */
function isObsolete(name: string, currentWindow: number, currentPeriod: number): boolean {
  const { window, period } = NUMBERED_ATTRIBUTE.exec(name)?.groups ?? {};
  if (window !== undefined) return Number(window) < currentWindow;
  return period !== undefined && Number(period) < currentPeriod - 1;
}

/** Builds the condition that a counter is below its limit. The counter of an attribute that does not exist is 0. */
function buildBelowLimitCondition({ name, limit }: FailureCounter, attribute: string): UpdatePart {
  return {
    conditions: [`(attribute_not_exists(#${name}) OR #${name} < :${name}Limit)`],
    names: { [`#${name}`]: attribute },
    values: { [`:${name}Limit`]: limit },
  };
}

function buildAttributeRemoval(attributes: readonly string[]): UpdatePart {
  const aliasedNames = attributes.map((name, index) => [`#removed${index}`, name] as const);
  return { remove: aliasedNames.map(([alias]) => alias), names: Object.fromEntries(aliasedNames) };
}

/** Computes a hash of 22 characters (132 bits), so that the item contains no address. */
function computeShortHash(account: LoginAccount, text: string): string {
  return hmacSha256(buildKey(account).pk, text).slice(0, 22);
}

function buildKey({ tenant, loginName, user }: LoginAccount): Key {
  return user ? directoryKeys.account(user.tenant, user.userId) : directoryKeys.unknownLogin(tenant, loginName);
}
