import { type DynamoDBDocumentClient, GetCommand, NumberValue, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { GuardDecision, GuardStore } from '../access/login-guard.ts';
import type { LOGIN_POLICY } from '../access/policies.ts';
import type { RateCounterStore } from '../access/sliding-window.ts';
import { newUniqueTimestamp } from '../runtime/ids.ts';
import { disableRetries } from './dynamodb/document-client.ts';
import { type StoredNumber, toInteger } from './dynamodb/values.ts';
import { awaitConditionalWrite, buildExpiry, buildUpdate, type UpdatePart } from './dynamodb/writes.ts';

// Both stores keep the latest times of an item in RateCounters: h00, h01, …, oldest first, in Unix milliseconds.

/** Creates the store of sliding windows: an item contains the latest `limit` accepted times and its `ttl`. */
export function createRateCounterTable(client: DynamoDBDocumentClient, table: string): RateCounterStore {
  return {
    async add(key, { limit, windowMs }, nowMs) {
      const { part, isIn } = addTime(limit, nowMs);
      const isFree: UpdatePart = {
        conditions: ['(attribute_not_exists(h00) OR h00 < :windowStart)'],
        values: { ':windowStart': afterMs(nowMs - windowMs) },
      };
      const write = async (time: UpdatePart): ReturnType<RateCounterStore['add']> => {
        const input = buildUpdate(table, { pk: key }, [isFree, time, buildExpiry(nowMs + windowMs)]);
        // No retries, because a request is accepted if it cannot be counted.
        const command = disableRetries(new UpdateCommand({ ...input, ReturnValues: 'ALL_NEW' }));
        const { kind, current } = await awaitConditionalWrite(client.send(command));
        return { kind: kind === 'written' || isIn(current) ? 'added' : 'full', times: readTimes(current, limit) };
      };
      // A pooled connection may have died. The client's own retries are rationed when many calls fail.
      return write({ ...part, conditions: [] }).catch(() => write(part));
    },
  };
}

const DAY_MS = 86_400_000;

/**
 * Creates the store of the source guard, with items of its own for each surface. An item contains the times of the
 * latest 5 failures (0 for none), their `span` (h04 - h00), and the failures of a day (UTC), by the number of the day.
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
  const [, secondOldest] = timeNames(limit);
  const latest = timeNames(limit).at(-1);

  /** Requires that the source is not locked out: the span is 30 s or more, or the latest failure is 60 s ago. */
  function requireNoLockout(nowMs: number): UpdatePart {
    return {
      conditions: [`(attribute_not_exists(#span) OR #span > :longestLockoutSpan OR ${latest} < :lockoutStart)`],
      names: { '#span': 'span' },
      // A stored time has random decimals, which make it up to 1 ms later and a span up to 1 ms shorter.
      values: { ':longestLockoutSpan': windowMs - 1, ':lockoutStart': afterMs(nowMs - lockoutMs) },
    };
  }

  /** Sets the span of the latest failures and counts the failure of the day. The second oldest time becomes the oldest. */
  function countFailure(nowMs: number, day: number): UpdatePart {
    return {
      set: [`#span = :now - if_not_exists(${secondOldest}, :zero)`, '#today = if_not_exists(#today, :zero) + :one'],
      remove: ['#yesterday'],
      names: { '#today': `day_${day}`, '#yesterday': `day_${day - 1}` },
      values: { ':now': nowMs, ':zero': 0, ':one': 1 },
    };
  }

  async function write(source: string, nowMs: number, failure?: TimeWrite): Promise<GuardDecision> {
    const day = Math.floor(nowMs / DAY_MS);
    const failureParts = failure ? [failure.part, countFailure(nowMs, day)] : [];
    const parts = [requireNoLockout(nowMs), ...failureParts, buildExpiry(nowMs + DAY_MS)];
    const command = new UpdateCommand({ ...buildUpdate(table, buildKey(source), parts), ReturnValues: 'ALL_NEW' });
    const { kind, current } = await awaitConditionalWrite(client.send(command));
    // A retry after a lost response fails the condition, but finds its own time.
    const isAccepted = kind === 'written' || (failure?.isIn(current) ?? false);
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
    recordSuccess: (source, nowMs) => write(source, nowMs),
    recordFailure: (source, nowMs) => write(source, nowMs, addTime(limit, nowMs)),
  };
}

type TimeWrite = ReturnType<typeof addTime>;

/**
 * Builds the write that adds `nowMs` to the latest `size` times: each time moves one position towards h00. The time has
 * random decimals, so that a retry after a lost response recognises its own write (`isIn`).
 */
function addTime(size: number, nowMs: number) {
  const names = timeNames(size);
  const stamp = newUniqueTimestamp(nowMs);
  // Every right-hand side reads the item as it was before the update: h00 = h01, h01 = h02, …, h04 = now.
  const set = names.map(
    (name, position) => `${name} = ${position < size - 1 ? `if_not_exists(${names[position + 1]}, :zero)` : ':stamp'}`,
  );
  const part: UpdatePart = {
    set,
    conditions: names.map((name) => `NOT ${name} = :stamp`),
    values: { ':stamp': NumberValue.from(stamp), ':zero': 0 },
  };
  const isIn = (item: object = {}) => names.some((name) => (item as Item)[name]?.toString() === stamp);
  return { part, isIn };
}

type Item = Readonly<Record<string, StoredNumber>>;

function readTimes(item: object | undefined, size: number): number[] {
  return timeNames(size).map((name) => readInteger(item, name));
}

/** Reads an integer attribute of an item; 0 if it is absent. */
function readInteger(item: object | undefined, name: string): number {
  const value = (item as Item | undefined)?.[name];
  return value === undefined ? 0 : toInteger(value);
}

/** Returns a number above every stored time of this millisecond. */
const afterMs = (timeMs: number) => timeMs + 1;

function timeNames(size: number): string[] {
  return Array.from({ length: size }, (_, position) => `h${position.toString().padStart(2, '0')}`);
}
