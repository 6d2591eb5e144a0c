import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type LoginAccount, toTokensNotBeforeMs } from '../domain/directory.ts';
import type { AccountRecord, AccountStore } from '../access/account-guard.ts';
import type { ACCOUNT_POLICY } from '../access/policies.ts';
import { systemClock } from '../runtime/clock.ts';
import { hmacSha256, newUuid } from '../runtime/ids.ts';
import { awaitConditionalWrite, buildExpiry, buildUpdate, type UpdatePart } from './dynamodb/writes.ts';
import type { Key } from './dynamodb/reads.ts';
import { directoryKeys } from './keys.ts';

// Matches the set of failure slots of a window, such as f_124687, and of trusted sources of a period, such as s_692.
const NUMBERED_SET = /^(?<kind>[fs])_(?<number>\d+)$/;

// The attribute with the id of the latest write of a failure.
const LATEST_WRITE_ID = 'f_last';

/** Builds the name of the set with the failure slots of a window, such as f_124687. `nowMs` is in the window. */
export const buildFailureSetName = (nowMs: number, { windowMs }: Pick<typeof ACCOUNT_POLICY, 'windowMs'>) =>
  `f_${Math.floor(nowMs / windowMs)}`;

/** Reads a string set of an item. A missing set is empty. */
const readSet = (item: object, name: string): ReadonlySet<string> =>
  (item as Readonly<Record<string, ReadonlySet<string> | undefined>>)[name] ?? new Set();

/**
 * Creates the store of accounts in Directory. The string set f_<window> contains the used failure slots, and s_<period>
 * contains the trusted sources. Each route uses different slots of the same set. A login name that does not exist has
 * an item that expires at the end of the window.
 *
 * @example
 * { pk: 'ACCOUNT#demo.example#300', sk: 'ACCOUNT', password_hash: '$argon2id$…',
 *   f_last: '0b1f…', f_124687: {'pVZ…w0', 'pVZ…w1', 'k9c…A0'}, s_691: {'xT4…g'}, s_692: {'xT4…g', 'Qm1…8'} }
 */
export function createAccountTable(
  client: DynamoDBDocumentClient,
  table: string,
  policy: Pick<typeof ACCOUNT_POLICY, 'windowMs' | 'failuresPerWindow' | 'periodMs'>,
  surface: 'LOGIN' | 'LEGACY',
): AccountStore {
  const { windowMs, failuresPerWindow, periodMs } = policy;

  function updateAccount(account: LoginAccount, record: AccountRecord, parts: readonly UpdatePart[], nowMs: number) {
    const windowEndMs = (Math.floor(nowMs / windowMs) + 1) * windowMs;
    // The item of a user contains the password hash, so it never expires. A login that began before its user was erased
    // writes nothing afterwards.
    const isNotErased = { conditions: ['attribute_not_exists(erased_at)'] };
    const userPart = account.user ? isNotErased : buildExpiry(windowEndMs);
    const allParts = [...parts, buildAttributeRemoval(record.obsoleteAttributes), userPart];
    return awaitConditionalWrite(client.send(new UpdateCommand(buildUpdate(table, buildKey(account), allParts))));
  }

  /** Builds the condition that a slot is unused, and that fewer than `failuresPerWindow` slots are used. */
  function buildFreeSlotCondition(slot: string, nowMs: number): UpdatePart {
    const set = buildFailureSetName(nowMs, policy);
    const freeSlotExpression = `(NOT contains(${set}, :slot) AND size(${set}) < :failuresPerWindow)`;
    return {
      conditions: [`(attribute_not_exists(${set}) OR ${freeSlotExpression})`],
      values: { ':slot': slot, ':failuresPerWindow': failuresPerWindow },
    };
  }

  return {
    async read(account, source, nowMs): Promise<AccountRecord> {
      const get = new GetCommand({ TableName: table, Key: buildKey(account), ConsistentRead: true });
      const { Item = {} } = await client.send(get);
      const window = Math.floor(nowMs / windowMs);
      const period = Math.floor(nowMs / periodMs);
      return {
        passwordHash: (Item['password_hash'] as string | undefined) ?? null,
        tokensNotBeforeMs: toTokensNotBeforeMs(Item['tokens_from'] as string | undefined),
        sourceHash: computeShortHash(account, source),
        slotHash: computeShortHash(account, `${surface} ${source} ${account.loginName.toLowerCase()}`),
        usedSlots: readSet(Item, buildFailureSetName(nowMs, policy)),
        trustedSources: { current: readSet(Item, `s_${period}`), previous: readSet(Item, `s_${period - 1}`) },
        obsoleteAttributes: Object.keys(Item).filter((name) => isObsolete(name, window, period)),
      };
    },

    async recordFailure(account, record, freeSlot, nowMs) {
      const set = buildFailureSetName(nowMs, policy);
      const writeId = newUuid();
      const writeIdPart: UpdatePart = { set: [`${LATEST_WRITE_ID} = :writeId`], values: { ':writeId': writeId } };
      const parts = [buildSetAddition(set, freeSlot), writeIdPart, buildFreeSlotCondition(freeSlot, nowMs)];
      const { kind, current = {} } = await updateAccount(account, record, parts, nowMs);
      const { [LATEST_WRITE_ID]: latestWriteId } = current as { readonly [LATEST_WRITE_ID]?: string };
      // If the SDK repeats a write whose response was lost, the condition fails, but the item has the id of this write.
      const isWritten = kind === 'written' || latestWriteId === writeId;
      return isWritten ? null : readSet(current, set);
    },

    async recordSuccess(account, record, { freeSlot, trustedSource }, nowMs) {
      const parts = [
        trustedSource ? buildSetAddition(`s_${Math.floor(nowMs / periodMs)}`, trustedSource) : {},
        freeSlot ? buildFreeSlotCondition(freeSlot, nowMs) : {},
      ];
      const { kind } = await updateAccount(account, record, parts, nowMs);
      return kind === 'written';
    },
  };
}

/** Creates the functions with which operators count and clear the failures of an account. */
export function createAccountLocks(
  client: DynamoDBDocumentClient,
  table: string,
  policy: Pick<typeof ACCOUNT_POLICY, 'windowMs'>,
) {
  const getCurrentSetName = () => buildFailureSetName(systemClock.now().getTime(), policy);
  return {
    /** Counts the failures of the current window with a strongly consistent read. */
    async countFailures(tenant: string, userId: string) {
      const Key = directoryKeys.account(tenant, userId);
      const { Item = {} } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return readSet(Item, getCurrentSetName()).size;
    },

    async clearFailures(tenant: string, userId: string) {
      const command = new UpdateCommand({
        TableName: table,
        Key: directoryKeys.account(tenant, userId),
        UpdateExpression: `REMOVE ${getCurrentSetName()}`,
        ConditionExpression: 'attribute_exists(pk)',
      });
      await awaitConditionalWrite(client.send(command));
    },
  };
}

/** True if an attribute is a set whose window or period is over. Then no decision uses the attribute. */
function isObsolete(name: string, currentWindow: number, currentPeriod: number): boolean {
  const { kind, number } = NUMBERED_SET.exec(name)?.groups ?? {};
  if (kind === 'f') return Number(number) < currentWindow;
  if (kind === 's') return Number(number) < currentPeriod - 1;
  return false;
}

function buildSetAddition(set: string, member: string): UpdatePart {
  return { add: [`${set} :members`], values: { ':members': new Set([member]) } };
}

function buildAttributeRemoval(attributes: readonly string[]): UpdatePart {
  const aliasedNames = attributes.map((name, index) => [`#obsolete${index}`, name] as const);
  return { remove: aliasedNames.map(([alias]) => alias), names: Object.fromEntries(aliasedNames) };
}

/** Computes a hash of 22 characters (132 bits), so that the item contains no address. */
function computeShortHash(account: LoginAccount, text: string): string {
  return hmacSha256(buildKey(account).pk, text).slice(0, 22);
}

function buildKey({ tenant, loginName, user }: LoginAccount): Key {
  return user ? directoryKeys.account(user.tenant, user.userId) : directoryKeys.unknownLogin(tenant, loginName);
}
