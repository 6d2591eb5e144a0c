import { ERROR_CODES, type ServiceError } from '../domain/errors.ts';
import { REPORTED_FAILURES } from '../domain/policies.ts';
import { systemClock } from '../runtime/clock.ts';
import { buildEmbeddedMetrics, Logger } from '../runtime/logger.ts';
import { getCurrentUsage } from '../runtime/request-scope.ts';
import type { PortalMiddleware, RequestState } from './chain.ts';
import { selectLanguage } from './headers.ts';
import { toSource } from './source.ts';

export function createRequestState(endpoint: string): PortalMiddleware<unknown, RequestState> {
  return {
    before({ event }) {
      const { requestId, identity } = event.requestContext;
      event.state = {
        requestId,
        receivedAt: systemClock.now(),
        language: selectLanguage(event),
        source: toSource(identity.sourceIp),
        logger: new Logger({ request_id: requestId, endpoint }),
        rate: null,
      } satisfies RequestState;
    },
  };
}

/**
 * Writes the log line of a request, with its metrics. The line contains the names of stored records, and no text of the
 * request, so that no secret of a request can be logged.
 */
export function logRequest(state: RequestState, status: number, error?: ServiceError): void {
  const { identity, caller, receivedAt, logger, loginRejection } = state;
  const user = identity ?? (loginRejection && state.attemptedUser);
  const { coldStart, calls, roundTrips, readUnits, writeUnits } = getCurrentUsage();
  const now = systemClock.now();
  const durationMs = now.getTime() - receivedAt.getTime();
  const errorMetrics = error && { [ERROR_CODES[error.code].metric]: 1 };
  const line = {
    tenant: user?.tenant,
    user_id: user?.userId,
    supplier_id: caller?.scope.supplierId ?? identity?.supplierId,
    api_key_last4: state.apiKeyLast4,
    login_rejected: loginRejection,
    source_ip: loginRejection && state.source,
    status,
    code: error?.code,
    duration_ms: durationMs,
    round_trips: roundTrips,
    calls,
    read_units: readUnits,
    write_units: writeUnits,
    cold_start: coldStart,
    ...buildEmbeddedMetrics({ RoundTrips: roundTrips, ...errorMetrics, ...buildAlarmMetrics(state) }, now),
  };
  if (error && status >= 500) {
    logger.error('request', { ...line, error: error.cause instanceof Error ? error.cause : error });
  } else {
    logger.info('request', line);
  }
}

/** Builds the metrics of the alarms. A metric whose event did not occur is omitted, because each value costs money. */
function buildAlarmMetrics({
  loginRejection,
  failureCounts,
  limiterUnavailable,
  isExpiringSoon,
}: RequestState): Readonly<Record<string, number>> {
  const { account = 0, source = 0 } = failureCounts ?? {};
  return {
    ...(loginRejection && { LoginsRejected: 1 }),
    ...(loginRejection === 'account-locked' && { AccountsLocked: 1 }),
    ...(account >= REPORTED_FAILURES.account && { AccountFailuresInAWindow: account }),
    ...(source >= REPORTED_FAILURES.source && { SourceFailuresInADay: source }),
    ...(limiterUnavailable && { RateLimiterUnavailable: 1 }),
    ...(isExpiringSoon && { ExpiringCredentials: 1 }),
  };
}
