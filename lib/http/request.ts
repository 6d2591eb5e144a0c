import type { APIGatewayProxyResult } from 'aws-lambda';
import type { RequestState } from '../endpoints/endpoint.ts';
import type { ErrorCode, ServiceError } from '../domain/errors.ts';
import { REPORTED_FAILURES } from '../rate-limit/policies.ts';
import { systemClock } from '../runtime/clock.ts';
import { metricsNamespace } from '../runtime/env.ts';
import { Logger } from '../runtime/logger.ts';
import { currentUsage } from '../runtime/usage.ts';
import type { After, PortalMiddleware, PortalRequest } from './chain.ts';
import { headerValues } from './headers.ts';
import { preferredLanguage } from './preferred-language.ts';

const namespace = metricsNamespace();

/** Begins the state of a request: its id, time, language, source and logger. */
export function requestState(endpoint: string): PortalMiddleware<unknown, RequestState> {
  return {
    before({ event }) {
      const { requestId, identity } = event.requestContext;
      event.state = {
        requestId,
        receivedAt: systemClock.now(),
        language: preferredLanguage(headerValues(event, 'accept-language').join()),
        sourceIp: identity.sourceIp,
        logger: new Logger({ request_id: requestId, endpoint }),
        rate: null,
      } satisfies RequestState;
    },
  };
}

/**
 * Writes the one log line of a request, with its metrics, once it has its answer. The line holds nothing that the
 * caller sent: its names are those of stored records, so a secret in a request does not get into the log, wherever in
 * the request it stands.
 */
export function requestLog(): PortalMiddleware<RequestState, After<'requestLog'>> {
  return { after: log, onError: log };
}

function log({ event: { state }, response, error: thrown }: PortalRequest): void {
  const { identity, caller, receivedAt, logger, loginRefused } = state;
  const { statusCode: status } = response as APIGatewayProxyResult;
  const error = thrown as ServiceError | undefined;
  const user = identity ?? (loginRefused && state.claimedUser);
  const { coldStart, calls, roundTrips, readUnits, writeUnits } = currentUsage();
  const now = systemClock.now();
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
    ...embeddedMetrics(
      { RoundTrips: roundTrips, ...(error && { [ERROR_METRICS[error.code] ?? 'ClientErrors']: 1 }), ...watched(state) },
      now,
    ),
  };
  if (error && status >= 500) {
    logger.error('request', { ...line, error: error.cause instanceof Error ? error.cause : error });
  } else logger.info('request', line);
}

/** The metric that counts the errors of a code; all others are faults of clients. */
const ERROR_METRICS: Readonly<Partial<Record<ErrorCode, string>>> = {
  RATE_LIMITED: 'RateLimited',
  INTERNAL_ERROR: 'InternalErrors',
  SERVICE_UNAVAILABLE: 'ServiceUnavailable',
};

/** Returns the metrics of the alarms. A metric without an event has no value, because each value costs. */
function watched({ loginRefused, failureCounts, limiterUnavailable }: RequestState): Readonly<Record<string, number>> {
  const { account = 0, source = 0 } = failureCounts ?? {};
  return {
    ...(loginRefused && { LoginsRefused: 1 }),
    ...(loginRefused === 'account-locked' && { AccountsLocked: 1 }),
    ...(account >= REPORTED_FAILURES.account && { AccountFailuresInAWindow: account }),
    ...(source >= REPORTED_FAILURES.source && { SourceFailuresInADay: source }),
    ...(limiterUnavailable && { RateLimiterUnavailable: 1 }),
  };
}

/**
 * The members by which a log line carries metrics of the service as a whole, in CloudWatch's embedded metric format;
 * the dimension's value is a member of the line itself.
 */
function embeddedMetrics(values: Readonly<Record<string, number>>, now: Date): object {
  const Metrics = Object.keys(values).map((Name) => ({ Name, Unit: 'Count' }));
  const directive = { Namespace: namespace, Dimensions: [['service']], Metrics };
  return { _aws: { Timestamp: now.getTime(), CloudWatchMetrics: [directive] }, ...values };
}
