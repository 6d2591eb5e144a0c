import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ClaimedAccount } from '../../domain/directory.ts';
import type {
  AccountDecision,
  AccountRecord,
  AccountStore,
  Admission,
  FailureRegister,
  RegisterName,
} from '../../rate-limit/account-guard.ts';
import type { AccountPolicy } from '../../rate-limit/policies.ts';
import { keyedHash } from '../../runtime/keyed-hash.ts';
import { conditionalWrite, expiresAt, updateBy, type UpdatePart } from '../dynamodb/conditional-write.ts';
import type { Key } from '../dynamodb/key.ts';
import { toTokensFromMs } from '../items/directory-items.ts';
import { directoryKeys } from '../items/keys.ts';
import { afterMs, integerIn, timeName, timesIn, timeWrite, type TimeWrite } from './latest-times.ts';

/** The attributes of an account. */
export type AccountFields = Readonly<Record<string, unknown>>;

/** What the attributes of known sources begin with. */
export const SOURCE_PREFIX = 'source_';

/** Since when failures of all kinds are counted, and how many there were. */
export const COUNT_FIELDS = ['failures_from', 'failures'] as const;

/** The attributes of each register: its times by their prefix, and the pause that is under way. */
export const REGISTERS = {
  email: { prefix: 'h', pause: 'h_pause' },
  emailWithKey: { prefix: 'k', pause: 'k_pause' },
  username: { prefix: 'u', pause: 'u_pause' },
  usernameWithKey: { prefix: 'v', pause: 'v_pause' },
} as const satisfies Readonly<Record<RegisterName, { prefix: string; pause: string }>>;

/**
 * The accounts in Directory: the password hash, the latest failures by each name, with and without a key, how many
 * there were recently, and an attribute for each known source. A login name that nobody has gets a record of its
 * failures, which expires.
 */
export function createAccountTable(
  client: DynamoDBDocumentClient,
  table: string,
  { limit, windowMs, pausesMs }: AccountPolicy,
): AccountStore {
  async function decide(
    account: ClaimedAccount,
    parts: readonly UpdatePart[],
    nowMs: number,
    failure?: TimeWrite,
  ): Promise<AccountDecision> {
    // A record of a password never expires.
    const all = account.user ? parts : [...parts, expiresAt(nowMs + windowMs)];
    const command = new UpdateCommand(updateBy(table, keyOf(account), all));
    const written = await conditionalWrite(client.send(command));
    if (written.kind === 'written' || failure?.isIn(written.current)) return { kind: 'allowed' };
    return { kind: 'refused', current: toRegisters(written.current as AccountFields | undefined) };
  }

  /** That the outcome may still be told. */
  function conditionOf(admission: Admission, nowMs: number): UpdatePart {
    if (admission.kind === 'known') return {};
    const { prefix, pause } = REGISTERS[admission.register];
    const [oldest, latest] = [timeName(0, prefix), timeName(limit - 1, prefix)];
    if (admission.kind === 'budget') {
      const hasBudget = `(attribute_not_exists(${oldest}) OR ${oldest} < :windowStart)`;
      // After a day without failures the pauses begin anew.
      const hasNoPause = `(attribute_not_exists(${pause}) OR ${latest} < :windowStart)`;
      return { conditions: [hasBudget, hasNoPause], values: { ':windowStart': afterMs(nowMs - windowMs) } };
    }
    const isOver = `${latest} < :pauseStart`;
    const pauseStart = { ':pauseStart': afterMs(nowMs - (pausesMs[admission.pause] ?? 0)) };
    if (admission.pause === 0) return { conditions: [isOver, `attribute_not_exists(${pause})`], values: pauseStart };
    return { conditions: [isOver, `${pause} = :pause`], values: { ...pauseStart, ':pause': admission.pause } };
  }

  function toRegisters(item: AccountFields = {}): Readonly<Record<RegisterName, FailureRegister>> {
    const registers = Object.entries(REGISTERS).map(([name, { prefix, pause }]) => [
      name,
      { times: timesIn(item, limit, prefix), pause: integerIn(item, pause) },
    ]);
    return Object.fromEntries(registers) as Record<RegisterName, FailureRegister>;
  }

  return {
    async read(account, source): Promise<AccountRecord> {
      const { Item = {} } = await client.send(
        new GetCommand({ TableName: table, Key: keyOf(account), ConsistentRead: true }),
      );
      return {
        passwordHash: (Item['password_hash'] as string | undefined) ?? null,
        tokensFromMs: toTokensFromMs(Item),
        registers: toRegisters(Item),
        recent: { fromMs: integerIn(Item, 'failures_from'), count: integerIn(Item, 'failures') },
        knownSources: knownSourcesIn(Item),
        // Only a hash of the address is stored, and it differs from account to account.
        sourceName: keyedHash(keyOf(account).pk, source),
      };
    },

    async fail(account, admission, recent, nowMs) {
      const count: UpdatePart =
        recent.count === 1
          ? { set: ['failures_from = :from', 'failures = :one'], values: { ':from': recent.fromMs, ':one': 1 } }
          : { set: ['failures = if_not_exists(failures, :none) + :one'], values: { ':none': 0, ':one': 1 } };
      if (admission.kind === 'known') return decide(account, [count], nowMs);

      const { prefix, pause } = REGISTERS[admission.register];
      const failure = timeWrite(limit, nowMs, prefix);
      const grown: UpdatePart =
        admission.kind === 'budget'
          ? { remove: [pause] }
          : {
              set: [`${pause} = :nextPause`],
              values: { ':nextPause': Math.min(admission.pause + 1, pausesMs.length - 1) },
            };
      return decide(account, [failure.part, grown, count, conditionOf(admission, nowMs)], nowMs, failure);
    },

    // Each source has an attribute of its own, so that logins at the same time do not overwrite each other.
    async noteSource(account, admission, { name, forget }, nowMs) {
      const attributes = [name, ...forget].map((source, index) => [`#s${index}`, SOURCE_PREFIX + source] as const);
      const noted: UpdatePart = {
        set: ['#s0 = :noted'],
        remove: attributes.slice(1).map(([alias]) => alias),
        names: Object.fromEntries(attributes),
        values: { ':noted': nowMs },
      };
      const shrunk = admission.kind === 'known' ? { remove: Object.values(REGISTERS).map(({ pause }) => pause) } : {};
      return decide(account, [noted, shrunk, conditionOf(admission, nowMs)], nowMs);
    },
  };
}

function keyOf({ tenant, loginName, user }: ClaimedAccount): Key {
  return user ? directoryKeys.account(user.tenant, user.userId) : directoryKeys.nobody(tenant, loginName);
}

function knownSourcesIn(item: AccountFields): Record<string, number> {
  const names = Object.keys(item).filter((name) => name.startsWith(SOURCE_PREFIX));
  return Object.fromEntries(names.map((name) => [name.slice(SOURCE_PREFIX.length), integerIn(item, name)]));
}
