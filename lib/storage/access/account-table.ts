import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ClaimedAccount } from '../../domain/directory.ts';
import type { AccountDecision, AccountRecord, AccountStore } from '../../rate-limit/account-guard.ts';
import type { AccountPolicy } from '../../rate-limit/policies.ts';
import { keyedHash } from '../../runtime/keyed-hash.ts';
import { conditionalWrite } from '../dynamodb/conditional-write.ts';
import type { Key } from '../dynamodb/key.ts';
import { type StoredNumber, toInteger } from '../dynamodb/numbers.ts';
import { toTokensFromMs } from '../items/directory-items.ts';
import { directoryKeys } from '../items/keys.ts';
import { afterMs, placeName, timesIn, timeWrite, type TimeWrite } from './time-register.ts';

/** What a login writes to an account. */
interface AccountWrite {
  readonly set: readonly string[];
  readonly remove?: readonly string[];
  readonly conditions: readonly string[];
  readonly names?: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly failure?: TimeWrite;
}

const SOURCE_PREFIX = 'source_';

/**
 * The accounts in Directory: the password hash, the latest failures, and an attribute for each known source. A login
 * name that nobody has gets a record of its failures, which expires.
 */
export function createAccountTable(
  client: DynamoDBDocumentClient,
  table: string,
  { limit, windowMs, pauseMs }: AccountPolicy,
): AccountStore {
  const [oldest, latest] = [placeName(0), placeName(limit - 1)];
  const hasBudget = `(attribute_not_exists(${oldest}) OR ${oldest} < :windowStart OR ${latest} < :pauseStart)`;

  async function decide(
    account: ClaimedAccount,
    isKnown: boolean,
    nowMs: number,
    write: AccountWrite,
  ): Promise<AccountDecision> {
    const { failure } = write;
    const budget = isKnown
      ? null
      : { ':windowStart': afterMs(nowMs - windowMs), ':pauseStart': afterMs(nowMs - pauseMs) };
    // A record of a password never expires.
    const expiry = account.user ? null : Math.ceil((nowMs + windowMs) / 1000);
    const set = [...write.set, ...(expiry === null ? [] : ['#ttl = :ttl'])];
    const remove = write.remove?.length ? ` REMOVE ${write.remove.join(', ')}` : '';
    const conditions = [...write.conditions, ...(budget ? [hasBudget] : [])];
    const names = { ...write.names, ...(expiry !== null && { '#ttl': 'ttl' }) };
    const command = new UpdateCommand({
      TableName: table,
      Key: keyOf(account),
      UpdateExpression: `SET ${set.join(', ')}${remove}`,
      ConditionExpression: conditions.length > 0 ? conditions.join(' AND ') : undefined,
      ExpressionAttributeNames: Object.keys(names).length > 0 ? names : undefined,
      ExpressionAttributeValues: { ...write.values, ...budget, ...(expiry !== null && { ':ttl': expiry }) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const written = await conditionalWrite(client.send(command));
    if (written.kind === 'written') return { kind: 'allowed', failures: [] };
    const isAllowed = failure?.isIn(written.current) ?? false;
    return { kind: isAllowed ? 'allowed' : 'refused', failures: timesIn(written.current, limit) };
  }

  return {
    async read(account, source) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: keyOf(account), ConsistentRead: true }),
      );
      // Only a hash of the address is stored, and it differs from account to account.
      return { ...toRecord(Item, limit), sourceName: keyedHash(keyOf(account).pk, source) };
    },

    async fail(account, isKnown, nowMs) {
      const failure = timeWrite(limit, nowMs);
      const { shift, isNew, values } = failure;
      return decide(account, isKnown, nowMs, { set: [shift], conditions: [isNew], values, failure });
    },

    // Each source has an attribute of its own, so that logins at the same time do not overwrite each other.
    async noteSource(account, { name, forget, isKnown }, nowMs) {
      const attributes = [name, ...forget].map((source, index) => [`#s${index}`, SOURCE_PREFIX + source] as const);
      return decide(account, isKnown, nowMs, {
        set: ['#s0 = :noted'],
        remove: attributes.slice(1).map(([alias]) => alias),
        conditions: [],
        names: Object.fromEntries(attributes),
        values: { ':noted': nowMs },
      });
    },
  };
}

function keyOf({ tenant, loginName, user }: ClaimedAccount): Key {
  return user ? directoryKeys.account(user.tenant, user.userId) : directoryKeys.nobody(tenant, loginName);
}

function toRecord(item: Record<string, unknown> = {}, limit: number): Omit<AccountRecord, 'sourceName'> {
  const sources = Object.entries(item).filter(([name]) => name.startsWith(SOURCE_PREFIX));
  return {
    passwordHash: (item['password_hash'] as string | undefined) ?? null,
    tokensFromMs: toTokensFromMs(item),
    failures: timesIn(item, limit),
    knownSources: Object.fromEntries(
      sources.map(([name, noted]) => [name.slice(SOURCE_PREFIX.length), toInteger(noted as StoredNumber)]),
    ),
  };
}
