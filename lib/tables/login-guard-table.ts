import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { GuardDecision, GuardStore } from '../access/login-guard.ts';
import type { LOGIN_POLICY } from '../access/policies.ts';
import { awaitConditionalWrite, buildExpiry, buildUpdate, type UpdatePart } from './dynamodb/writes.ts';
import {
  buildTimeNames,
  buildTimeWrite,
  readInteger,
  readTimes,
  type TimeWrite,
  toUpperBoundMs,
} from './latest-times.ts';

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
