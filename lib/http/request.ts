import type { APIGatewayProxyResult } from 'aws-lambda';
import { ERROR_CODES, type ServiceError } from '../domain/errors.ts';
import { REPORTED_FAILURES } from '../access/policies.ts';
import { systemClock } from '../runtime/clock.ts';
import { buildEmbeddedMetrics, Logger } from '../runtime/logger.ts';
import { getCurrentUsage } from '../runtime/request-scope.ts';
import type { After, PortalMiddleware, PortalRequest, RequestState } from './chain.ts';
import { readHeaderValues } from './headers.ts';
import { type Language, LANGUAGES } from '../domain/language.ts';

/** Begins the state of a request: its id, time, language, source and logger. */
export function requestState(endpoint: string): PortalMiddleware<unknown, RequestState> {
  return {
    before({ event }) {
      const { requestId, identity } = event.requestContext;
      event.state = {
        requestId,
        receivedAt: systemClock.now(),
        language: preferredLanguage(readHeaderValues(event.multiValueHeaders, 'accept-language').join()),
        sourceIp: identity.sourceIp,
        logger: new Logger({ request_id: requestId, endpoint }),
        rate: null,
      } satisfies RequestState;
    },
  };
}

/**
 * Writes one log line for each request, with its metrics, after the response is built. The line contains no text of the
 * request, but the names of stored records, so no secret of a request can be logged.
 */
export function requestLog(): PortalMiddleware<RequestState, After<'requestLog'>> {
  return { after: log, onError: log };
}

function log({ event: { state }, response, error: thrown }: PortalRequest): void {
  const { identity, caller, receivedAt, logger, loginRejection } = state;
  const { statusCode: status } = response as APIGatewayProxyResult;
  const error = thrown as ServiceError | undefined;
  const user = identity ?? (loginRejection && state.attemptedUser);
  const { coldStart, calls, roundTrips, readUnits, writeUnits } = getCurrentUsage();
  const now = systemClock.now();
  const durationMs = now.getTime() - receivedAt.getTime();
  const line = {
    tenant: user?.tenant,
    user_id: user?.userId,
    supplier_id: caller?.scope.supplierId ?? identity?.supplierId,
    api_key_last4: state.apiKeyLast4,
    login_refused: loginRejection,
    source_ip: loginRejection && state.sourceIp,
    status,
    code: error?.code,
    duration_ms: durationMs,
    round_trips: roundTrips,
    calls,
    read_units: readUnits,
    write_units: writeUnits,
    cold_start: coldStart,
    ...buildEmbeddedMetrics(
      { RoundTrips: roundTrips, ...(error && { [ERROR_CODES[error.code].metric]: 1 }), ...watched(state) },
      now,
    ),
  };
  if (error && status >= 500) {
    logger.error('request', { ...line, error: error.cause instanceof Error ? error.cause : error });
  } else logger.info('request', line);
}

/** Returns the metrics of the alarms. A metric without an event has no value, because each value costs. */
function watched({
  loginRejection,
  failureCounts,
  limiterUnavailable,
}: RequestState): Readonly<Record<string, number>> {
  const { account = 0, source = 0 } = failureCounts ?? {};
  return {
    ...(loginRejection && { LoginsRefused: 1 }),
    ...(loginRejection === 'account-locked' && { AccountsLocked: 1 }),
    ...(account >= REPORTED_FAILURES.account && { AccountFailuresInAWindow: account }),
    ...(source >= REPORTED_FAILURES.source && { SourceFailuresInADay: source }),
    ...(limiterUnavailable && { RateLimiterUnavailable: 1 }),
  };
}

// A language range with an optional weight (RFC 9110, 12.5.4), without surrounding blanks.
const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z\d]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/**
 * Returns the preferred language of an Accept-Language header: the language of the range with the highest weight
 * (`es-AR` is Spanish), and of several the first one. Invalid ranges are ignored. The default is English.
 */
export function preferredLanguage(header: string): Language {
  const ranges = header.toLowerCase().split(',').flatMap(readRange);
  const named = new Set(ranges.map(({ tag }) => tag));
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag));
  const accepted = ranges.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality);
  const languages = accepted.flatMap(({ tag }) =>
    LANGUAGES.filter((language) =>
      tag === '*' ? !named.has(language) : tag.split('-')[0] === language && !refused.has(language),
    ),
  );
  return languages[0] ?? 'en';
}

function readRange(text: string) {
  const [, tag, weight = '1'] = RANGE.exec(text.trim()) ?? [];
  return tag === undefined ? [] : [{ tag, quality: Number(weight) }];
}
