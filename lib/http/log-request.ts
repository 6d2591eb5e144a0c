import type { ServiceError } from '../domain/errors.ts';
import { REPORTED_FAILURES } from '../rate-limit/policies.ts';
import { embeddedMetrics, type MetricGroup } from '../runtime/metrics.ts';
import { currentUsage } from '../runtime/usage.ts';
import type { RequestState } from './request-state.ts';

/** How a request ended; `error` is null when it succeeded. */
export interface RequestEnd {
  readonly status: number;
  readonly error: ServiceError | null;
  readonly now: Date;
}

const NO_FAILURES = { source: 0, account: 0 };

/**
 * Writes the one log line of a request, with its metrics. It holds nothing that the caller sent: its names are those of
 * stored records, so a secret in a request does not get into the log, wherever in the request it stands.
 */
export function logRequest(state: RequestState, { status, error, now }: RequestEnd): void {
  const { identity, caller, receivedAt, logger, loginRefused, failuresOfDay = NO_FAILURES } = state;
  const user = identity ?? (loginRefused && state.claimedUser);
  const { coldStart, calls, roundTrips, readUnits, writeUnits } = currentUsage();
  const durationMs = now.getTime() - receivedAt.getTime();
  const line = {
    tenant: user?.tenant,
    user_id: user?.userId,
    supplier_id: caller?.scope.supplierId ?? identity?.supplierId,
    api_key_last4: state.apiKeyLast4,
    login_refused: loginRefused,
    source_ip: loginRefused && state.sourceIp,
    status,
    code: error?.code,
    duration_ms: durationMs,
    round_trips: roundTrips,
    calls,
    read_units: readUnits,
    write_units: writeUnits,
    cold_start: coldStart,
    ...embeddedMetrics(metricGroups(), now),
  };
  if (error && status >= 500) {
    logger.error('request', { ...line, error: error.cause instanceof Error ? error.cause : error });
  } else logger.info('request', line);

  function metricGroups(): MetricGroup[] {
    const ofService = {
      ...(loginRefused && { LoginsRefused: 1 }),
      ...(loginRefused === 'spent-account' && { AccountsSpent: 1 }),
      ...(failuresOfDay.account >= REPORTED_FAILURES.account && { AccountFailuresInADay: failuresOfDay.account }),
      ...(failuresOfDay.source >= REPORTED_FAILURES.source && { SourceFailuresInADay: failuresOfDay.source }),
      ...(state.limiterUnavailable && { RateLimiterUnavailable: 1 }),
    };
    return [
      {
        dimensions: ['service', 'endpoint'],
        values: {
          Requests: 1,
          Duration: durationMs,
          RoundTrips: roundTrips,
          ConsumedReadUnits: readUnits,
          ConsumedWriteUnits: writeUnits,
          ...(coldStart && { ColdStart: 1 }),
        },
      },
      ...(error ? [{ dimensions: ['service', 'endpoint', 'code'], values: { Errors: 1 } }] : []),
      ...(Object.keys(ofService).length > 0 ? [{ dimensions: ['service'], values: ofService }] : []),
    ];
  }
}
