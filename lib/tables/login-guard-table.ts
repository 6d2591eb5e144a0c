import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { GuardDecision, GuardStore } from '../access/login-guard.ts';
import type { LOGIN_POLICY } from '../access/policies.ts';
import { conditionalWrite, expiresAt, updateBy, type UpdatePart } from './dynamodb/conditional-write.ts';
import { afterMs, addTime, readInteger, readTimes, timeName, type TimeWrite } from './latest-times.ts';

const DAY_MS = 86_400_000;

/**
 * Creates the store of the source guard in RateCounters, with items of its own for each surface.
 *
 * An item contains the times of the latest 5 failures (h00 to h04, Unix milliseconds, oldest first, 0 for none), their
 * `span` (h04 - h00), and the failures of a day (UTC), whose attribute has the number of the day:
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
  const keyOf = (source: string) => ({ pk: `${surface}#${source}` });
  const [secondOldest, latest] = [timeName(1), timeName(limit - 1)];

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
    const parts = [requireNoLockout(nowMs), ...failureParts, expiresAt(nowMs + DAY_MS)];
    const command = new UpdateCommand({ ...updateBy(table, keyOf(source), parts), ReturnValues: 'ALL_NEW' });
    const { kind, current } = await conditionalWrite(client.send(command));
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
      const get = new GetCommand({ TableName: table, Key: keyOf(source), ConsistentRead: true });
      return readTimes((await client.send(get)).Item, limit);
    },
    recordSuccess: (source, nowMs) => write(source, nowMs),
    recordFailure: (source, nowMs) => write(source, nowMs, addTime(limit, nowMs)),
  };
}
