import { type DynamoDBDocumentClient, GetCommand, NumberValue, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { GuardDecision, GuardStore } from '../access/login-guard.ts';
import type { LOGIN_POLICY } from '../access/policies.ts';
import type { RateCounterStore } from '../access/sliding-window.ts';
import { newUniqueTimestamp } from '../runtime/ids.ts';
import { disableRetries } from './dynamodb/document-client.ts';
import { type StoredNumber, toInteger } from './dynamodb/values.ts';
import { awaitConditionalWrite, buildExpiry, buildUpdate, type UpdatePart } from './dynamodb/writes.ts';

// Each item of the table RateCounters contains the latest times of a subject, in Unix milliseconds. h00 is the oldest.

/** Creates the store of sliding windows. An item contains the times of the latest `limit` accepted requests. */
export function createRateCounterTable(client: DynamoDBDocumentClient, table: string): RateCounterStore {
  return {
    async add(key, { limit, windowMs }, nowMs) {
      const { part, isStoredIn } = buildTimeWrite(limit, nowMs);
      const freeWindowCondition: UpdatePart = {
        conditions: ['(attribute_not_exists(h00) OR h00 < :windowStart)'],
        values: { ':windowStart': toUpperBoundMs(nowMs - windowMs) },
      };
      const writeTime = async (timePart: UpdatePart): ReturnType<RateCounterStore['add']> => {
        const input = buildUpdate(table, { pk: key }, [freeWindowCondition, timePart, buildExpiry(nowMs + windowMs)]);
        const command = disableRetries(new UpdateCommand({ ...input, ReturnValues: 'ALL_NEW' }));
        const { kind, current } = await awaitConditionalWrite(client.send(command));
        const isAdded = kind === 'written' || isStoredIn(current);
        return { kind: isAdded ? 'added' : 'full', times: readTimes(current, limit) };
      };
      // A failed write is retried once, because the connection from the pool can be closed. The retries of the SDK are
      // not used, because they stop when many calls fail. Only the retry checks that the time is not stored yet.
      return writeTime({ ...part, conditions: [] }).catch(() => writeTime(part));
    },
  };
}

const DAY_MS = 86_400_000;

/**
 * Creates the store of the source guard. A source has one item for logins and one for legacy calls. An item contains
 * the times of the latest 5 failures (0 for a missing one), `span` (h04 - h00), and the failures of a day (UTC).
 *
 * @example
 * { pk: 'LOGIN#203.0.113.7', h00: 1795532823000.1…, …, h04: 1795532840000.7…, span: 17000, day_20781: 5, ttl: … }
 */
export function createLoginGuardTable(
  client: DynamoDBDocumentClient,
  table: string,
  { limit, windowMs, lockoutMs }: typeof LOGIN_POLICY,
  surface: 'LOGIN' | 'LEGACY',
): GuardStore {
  const buildKey = (source: string) => ({ pk: `${surface}#${source}` });
  const timeNames = buildTimeNames(limit);
  const [, secondOldestName] = timeNames;
  const latestName = timeNames.at(-1);

  /** Builds the condition that the source is not locked out: the span is at least 30 s, or h04 is 60 s ago. */
  function buildNoLockoutCondition(nowMs: number): UpdatePart {
    return {
      conditions: [`(attribute_not_exists(#span) OR #span > :longestLockoutSpan OR ${latestName} < :lockoutStart)`],
      names: { '#span': 'span' },
      // The random decimals of stored times make a time up to 1 ms later, and a span up to 1 ms shorter.
      values: { ':longestLockoutSpan': windowMs - 1, ':lockoutStart': toUpperBoundMs(nowMs - lockoutMs) },
    };
  }

  /** Builds the new span and the new count of the day. The second oldest time (h01) becomes the oldest time (h00). */
  function buildFailureCount(nowMs: number, day: number): UpdatePart {
    return {
      set: [`#span = :now - if_not_exists(${secondOldestName}, :zero)`, '#today = if_not_exists(#today, :zero) + :one'],
      remove: ['#yesterday'],
      names: { '#today': `day_${day}`, '#yesterday': `day_${day - 1}` },
      values: { ':now': nowMs, ':zero': 0, ':one': 1 },
    };
  }

  async function writeOutcome(source: string, nowMs: number, failure?: TimeWrite): Promise<GuardDecision> {
    const day = Math.floor(nowMs / DAY_MS);
    const failureParts = failure ? [failure.part, buildFailureCount(nowMs, day)] : [];
    const parts = [buildNoLockoutCondition(nowMs), ...failureParts, buildExpiry(nowMs + DAY_MS)];
    const command = new UpdateCommand({ ...buildUpdate(table, buildKey(source), parts), ReturnValues: 'ALL_NEW' });
    const { kind, current } = await awaitConditionalWrite(client.send(command));
    // If the SDK repeats a write whose response was lost, the condition fails, but the item contains the time.
    const isAccepted = kind === 'written' || (failure?.isStoredIn(current) ?? false);
    return {
      kind: isAccepted ? 'accepted' : 'rejected',
      failureTimes: readTimes(current, limit),
      failuresToday: readInteger(current, `day_${day}`),
    };
  }

  return {
    async readFailureTimes(source) {
      const get = new GetCommand({ TableName: table, Key: buildKey(source), ConsistentRead: true });
      return readTimes((await client.send(get)).Item, limit);
    },
    recordSuccess: (source, nowMs) => writeOutcome(source, nowMs),
    recordFailure: (source, nowMs) => writeOutcome(source, nowMs, buildTimeWrite(limit, nowMs)),
  };
}

/** The write of a time. The time has random decimals, so that a retry recognises the time of its first attempt. */
interface TimeWrite {
  readonly part: UpdatePart;
  /** True if an item already contains this time with the same decimals. */
  readonly isStoredIn: (item: object | undefined) => boolean;
}

/** Builds the write that adds `nowMs` to the latest `size` times. The oldest time (h00) is removed. */
function buildTimeWrite(size: number, nowMs: number): TimeWrite {
  const names = buildTimeNames(size);
  const timestamp = newUniqueTimestamp(nowMs);
  // The update is h00 = h01, h01 = h02, …, h04 = now. DynamoDB reads all values before it writes.
  const shifts = names.slice(1).map((name, index) => `${names[index]} = if_not_exists(${name}, :zero)`);
  const part: UpdatePart = {
    set: [...shifts, `${names.at(-1)} = :timestamp`],
    conditions: names.map((name) => `NOT ${name} = :timestamp`),
    values: { ':timestamp': NumberValue.from(timestamp), ':zero': 0 },
  };
  return { part, isStoredIn: (item = {}) => names.some((name) => (item as Item)[name]?.toString() === timestamp) };
}

type Item = Readonly<Record<string, StoredNumber>>;

function readTimes(item: object | undefined, size: number): number[] {
  return buildTimeNames(size).map((name) => readInteger(item, name));
}

/** Reads an integer attribute of an item. An absent attribute is 0. */
function readInteger(item: object | undefined, name: string): number {
  const value = (item as Item | undefined)?.[name];
  return value === undefined ? 0 : toInteger(value);
}

/** Returns an upper bound of all stored times in a millisecond, because stored times have random decimals. */
const toUpperBoundMs = (timeMs: number) => timeMs + 1;

/** Builds the names of the attributes with times: h00, h01 and so on. */
function buildTimeNames(size: number): string[] {
  return Array.from({ length: size }, (_, position) => `h${position.toString().padStart(2, '0')}`);
}
