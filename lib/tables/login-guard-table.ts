import type { GuardDecision, GuardStore } from '../access/login-guard.ts';
import { LOGIN_POLICY } from '../domain/policies.ts';
import { DAY_MS } from '../domain/iso-date.ts';
import { newUuid } from '../runtime/ids.ts';
import { getItem } from './dynamodb/reads.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { readInteger } from './dynamodb/values.ts';
import { buildExpiry, buildUpdate, type UpdatePart } from './dynamodb/updates.ts';
import { updateItem } from './dynamodb/writes.ts';
import { buildTimeNames, buildTimeWrite, isLastWrite, readTimes } from './latest-times.ts';

const { limit, windowMs, lockoutMs } = LOGIN_POLICY;

/**
 * Creates the store of the source guard. A source has one item for logins and one for legacy calls. An item contains
 * the times of the latest 5 failures (0 for a missing one), their span (h04 - h00), and the failures of a day (UTC).
 *
 * @example
 * { pk: 'LOGIN#203.0.113.7', h00: 1795532823000, …, h04: 1795532840000, failure_span: 17000, day_20781: 5,
 *   last_write: '0b1f7a3e-…', ttl: … }
 */
export function createLoginGuardTable(client: TableClient, table: string, surface: 'LOGIN' | 'LEGACY'): GuardStore {
  const buildKey = (source: string) => ({ pk: `${surface}#${source}` });
  const timeNames = buildTimeNames(limit);

  /** Builds the condition that the source is not locked out: the span is at least 30 s, or h04 is 60 s ago. */
  function buildNoLockoutCondition(nowMs: number): UpdatePart {
    const latest = timeNames.at(-1);
    return {
      conditions: [`(attribute_not_exists(h00) OR failure_span >= :windowMs OR ${latest} <= :lockoutStart)`],
      values: { ':windowMs': windowMs, ':lockoutStart': nowMs - lockoutMs },
    };
  }

  /** Builds the new span and the new count of the day. The second oldest time (h01) becomes the oldest time (h00). */
  function buildFailureCount(day: number): UpdatePart {
    return {
      set: [`failure_span = :now - if_not_exists(${timeNames[1]}, :zero)`],
      add: [`day_${day} :one`],
      remove: [`day_${day - 1}`],
      values: { ':one': 1 },
    };
  }

  async function writeOutcome(source: string, nowMs: number, outcome: 'success' | 'failure'): Promise<GuardDecision> {
    const day = Math.floor(nowMs / DAY_MS);
    const writeId = newUuid();
    const failureParts = outcome === 'failure' ? [buildTimeWrite(limit, nowMs, writeId), buildFailureCount(day)] : [];
    const parts = [buildNoLockoutCondition(nowMs), ...failureParts, buildExpiry(nowMs + DAY_MS)];
    const update = { ...buildUpdate(table, buildKey(source), parts), ReturnValues: 'ALL_NEW' } as const;
    const { kind, current } = await updateItem(client, update);
    // If the SDK repeats a write whose response was lost, the condition fails, but the item contains the id.
    const isAccepted = kind === 'written' || isLastWrite(current, writeId);
    return {
      kind: isAccepted ? 'accepted' : 'rejected',
      failureTimes: readTimes(current, limit),
      failuresToday: readInteger(current, `day_${day}`),
    };
  }

  return {
    async readFailureTimes(source) {
      return readTimes(await getItem(client, table, buildKey(source)), limit);
    },
    recordSuccess: (source, nowMs) => writeOutcome(source, nowMs, 'success'),
    recordFailure: (source, nowMs) => writeOutcome(source, nowMs, 'failure'),
  };
}
