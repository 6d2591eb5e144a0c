import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type LoginAccount, toTokensNotBeforeMs } from '../domain/directory.ts';
import type { AccountRecord, AccountStore } from '../access/account-guard.ts';
import type { ACCOUNT_POLICY } from '../access/policies.ts';
import { systemClock } from '../runtime/clock.ts';
import { hmacSha256, newUuid } from '../runtime/ids.ts';
import { awaitConditionalWrite, buildExpiry, buildUpdate, type UpdatePart } from './dynamodb/writes.ts';
import type { Key } from './dynamodb/reads.ts';
import { directoryKeys } from './keys.ts';

/** Attributes of the guard that counted by login name and API key until November 2026. */
const OLD_FORMAT = /^(?:[hkuv](?:\d\d|_pause)|failures(?:_from)?|source_.*)$/;

/** The attribute with the id of the latest write of a failure. */
const LAST_WRITE = 'f_last';

/** Returns the attribute of the failure slots of the window that contains a time, such as f_124687. */
export const buildFailureSetName = (nowMs: number, { windowMs }: Pick<typeof ACCOUNT_POLICY, 'windowMs'>) =>
  `f_${Math.floor(nowMs / windowMs)}`;

/** Returns the members of a string set of an item; a set that is absent is empty. */
export const readSet = (item: object, name: string): ReadonlySet<string> =>
  (item as Readonly<Record<string, ReadonlySet<string> | undefined>>)[name] ?? new Set();

/**
 * Creates the store of accounts in Directory: the password hash and the string sets of the account guard. A login name
 * that does not exist has its own item, which expires when its window ends. Both routes share the sets, but not slots.
 *
 * @example
 * { pk: 'ACCOUNT#demo.example#300', sk: 'ACCOUNT', password_hash: '$argon2id$…', // f_<window>, s_<period>
 *   f_last: '0b1f…', f_124687: {'pVZ…w0', 'pVZ…w1', 'k9c…A0'}, s_691: {'xT4…g'}, s_692: {'xT4…g', 'Qm1…8'} }
 */
export function createAccountTable(
  client: DynamoDBDocumentClient,
  table: string,
  policy: Pick<typeof ACCOUNT_POLICY, 'windowMs' | 'failuresPerWindow' | 'periodMs'>,
  surface: 'LOGIN' | 'LEGACY',
): AccountStore {
  const { windowMs, failuresPerWindow, periodMs } = policy;

  function write(account: LoginAccount, record: AccountRecord, parts: readonly UpdatePart[], nowMs: number) {
    const windowEndMs = (Math.floor(nowMs / windowMs) + 1) * windowMs;
    // The item of a password never expires.
    const expiry = account.user ? {} : buildExpiry(windowEndMs);
    const all = [...parts, removeAttributes(record.obsoleteAttributes), expiry];
    return awaitConditionalWrite(client.send(new UpdateCommand(buildUpdate(table, buildKey(account), all))));
  }

  /** Requires that the slot is unused, and that fewer than `failuresPerWindow` slots are used. */
  function requireFreeSlot(slot: string, nowMs: number): UpdatePart {
    const set = buildFailureSetName(nowMs, policy);
    const hasRoom = `(NOT contains(${set}, :slot) AND size(${set}) < :failuresPerWindow)`;
    return {
      conditions: [`(attribute_not_exists(${set}) OR ${hasRoom})`],
      values: { ':slot': slot, ':failuresPerWindow': failuresPerWindow },
    };
  }

  return {
    async read(account, source, nowMs): Promise<AccountRecord> {
      const get = new GetCommand({ TableName: table, Key: buildKey(account), ConsistentRead: true });
      const { Item = {} } = await client.send(get);
      const [window, period] = [Math.floor(nowMs / windowMs), Math.floor(nowMs / periodMs)];
      const isObsolete = (name: string) => {
        const [, kind, number] = /^([fs])_(\d+)$/.exec(name) ?? [];
        return kind ? Number(number) < (kind === 'f' ? window : period - 1) : OLD_FORMAT.test(name);
      };
      return {
        passwordHash: (Item['password_hash'] as string | undefined) ?? null,
        tokensNotBeforeMs: toTokensNotBeforeMs(Item['tokens_from'] as string | undefined),
        sourceHash: shortHash(account, source),
        slotHash: shortHash(account, `${surface} ${source} ${account.loginName.toLowerCase()}`),
        usedSlots: readSet(Item, buildFailureSetName(nowMs, policy)),
        trustedSources: { current: readSet(Item, `s_${period}`), previous: readSet(Item, `s_${period - 1}`) },
        obsoleteAttributes: Object.keys(Item).filter(isObsolete),
      };
    },

    async recordFailure(account, record, freeSlot, nowMs) {
      const set = buildFailureSetName(nowMs, policy);
      const writeId = newUuid();
      const marked: UpdatePart = { set: [`${LAST_WRITE} = :writeId`], values: { ':writeId': writeId } };
      const parts = [addTo(set, freeSlot), marked, requireFreeSlot(freeSlot, nowMs)];
      const { kind, current = {} } = await write(account, record, parts, nowMs);
      // A retry after a lost response fails the condition, but finds the id of its own write.
      const isWritten = kind === 'written' || (current as { [LAST_WRITE]?: string })[LAST_WRITE] === writeId;
      return isWritten ? null : readSet(current, set);
    },

    async recordSuccess(account, record, { freeSlot, trustedSource }, nowMs) {
      const parts = [
        trustedSource ? addTo(`s_${Math.floor(nowMs / periodMs)}`, trustedSource) : {},
        freeSlot ? requireFreeSlot(freeSlot, nowMs) : {},
      ];
      return (await write(account, record, parts, nowMs)).kind === 'written';
    },
  };
}

/** Creates the repository of the failed logins by which an account is locked for sources that it does not trust. */
export function createAccountLocks(
  client: DynamoDBDocumentClient,
  table: string,
  policy: Pick<typeof ACCOUNT_POLICY, 'windowMs'>,
) {
  const currentSet = () => buildFailureSetName(systemClock.now().getTime(), policy);
  return {
    /** Counts the failures of the current window, strongly consistent. */
    async countFailures(tenant: string, userId: string) {
      const Key = directoryKeys.account(tenant, userId);
      const { Item = {} } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return readSet(Item, currentSet()).size;
    },

    async clearFailures(tenant: string, userId: string) {
      const command = new UpdateCommand({
        TableName: table,
        Key: directoryKeys.account(tenant, userId),
        UpdateExpression: `REMOVE ${currentSet()}`,
        ConditionExpression: 'attribute_exists(pk)',
      });
      await awaitConditionalWrite(client.send(command));
    },
  };
}

function addTo(set: string, member: string): UpdatePart {
  return { add: [`${set} :members`], values: { ':members': new Set([member]) } };
}

function removeAttributes(attributes: readonly string[]): UpdatePart {
  const names = attributes.map((name, index) => [`#obsolete${index}`, name] as const);
  return { remove: names.map(([alias]) => alias), names: Object.fromEntries(names) };
}

/** Returns 132 bits of a hash in 22 characters: no address is stored. */
function shortHash(account: LoginAccount, text: string): string {
  return hmacSha256(buildKey(account).pk, text).slice(0, 22);
}

function buildKey({ tenant, loginName, user }: LoginAccount): Key {
  return user ? directoryKeys.account(user.tenant, user.userId) : directoryKeys.unknownLogin(tenant, loginName);
}
