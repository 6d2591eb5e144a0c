import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { GuardDecision, GuardStore } from '../../rate-limit/login-guard.ts';
import type { LoginPolicy } from '../../rate-limit/policies.ts';
import { conditionalWrite, expiresAt, updateBy, type UpdatePart } from '../dynamodb/conditional-write.ts';
import { afterMs, integerIn, timeName, timesIn, timeWrite, type TimeWrite } from './latest-times.ts';

const DAY_MS = 86_400_000;

/**
 * The login guard's records in RateCounters, apart for each surface: the latest failures of a source, the milliseconds
 * from the first to the last of them (`span`), the failures of the day (`day_<number of the day>`), and `ttl`.
 */
export function createLoginGuardTable(
  client: DynamoDBDocumentClient,
  table: string,
  { limit, windowMs, blockMs }: LoginPolicy,
  surface: 'LOGIN' | 'LEGACY',
): GuardStore {
  const keyOf = (source: string) => ({ pk: `${surface}#${source}` });
  // Blocked: all times are failures of one window, and the last of them is not long ago.
  const isOpen = `(attribute_not_exists(#span) OR #span > :shorterSpan OR ${timeName(limit - 1)} < :blockStart)`;
  // With a new failure, the second oldest one becomes the oldest. The decimals of its stamp make the span shorter by
  // less than 1 ms.
  const span = `#span = :now - if_not_exists(${timeName(1)}, :never)`;

  async function decide(source: string, nowMs: number, failure: TimeWrite | null): Promise<GuardDecision> {
    const day = Math.floor(nowMs / DAY_MS);
    const today = `day_${day}`;
    const open: UpdatePart = {
      conditions: [isOpen],
      names: { '#span': 'span' },
      values: { ':shorterSpan': windowMs - 1, ':blockStart': afterMs(nowMs - blockMs) },
    };
    const counted: UpdatePart = {
      set: [span, '#today = if_not_exists(#today, :never) + :one'],
      remove: ['#yesterday'],
      names: { '#today': today, '#yesterday': `day_${day - 1}` },
      values: { ':now': nowMs, ':one': 1 },
    };
    const parts = [expiresAt(nowMs + DAY_MS), open, ...(failure ? [failure.part, counted] : [])];
    const command = new UpdateCommand({ ...updateBy(table, keyOf(source), parts), ReturnValues: 'ALL_NEW' });
    const { kind, current } = await conditionalWrite(client.send(command));
    const isAllowed = kind === 'written' || (failure?.isIn(current) ?? false);
    const failures = timesIn(current, limit);
    return { kind: isAllowed ? 'allowed' : 'refused', failures, failuresToday: integerIn(current, today) };
  }

  return {
    async failures(source) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: keyOf(source), ConsistentRead: true }),
      );
      return timesIn(Item, limit);
    },
    succeed: (source, nowMs) => decide(source, nowMs, null),
    fail: (source, nowMs) => decide(source, nowMs, timeWrite(limit, nowMs)),
  };
}
