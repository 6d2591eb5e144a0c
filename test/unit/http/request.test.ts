import { expect, it, vi } from 'vitest';
import { type ErrorCode, ServiceError } from '../../../lib/domain/errors.ts';
import { unexpected, wrongLogin } from '../../../lib/domain/texts.ts';
import type { RequestState } from '../../../lib/http/chain.ts';
import type { Logger } from '../../../lib/runtime/logger.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { buildRequestState } from '../../support/service/request-state.ts';

vi.hoisted(() => vi.stubEnv('METRICS_NAMESPACE', 'test'));
// The modules are loaded again, so that the next request is the first of its process.
vi.resetModules();
const { logRequest } = await import('../../../lib/http/request.ts');
const { runWithinDeadline, recordCall } = await import('../../../lib/runtime/request-scope.ts');

const now = new Date('2026-07-01T10:00:00.000Z');
const user = { tenant: 'a.example', userId: '77', companyId: '5', supplierId: '9' };
const other = { ...user, userId: '78', supplierId: '10' };

type Metrics = readonly { readonly Dimensions: unknown; readonly Metrics: readonly { readonly Name: string }[] }[];
type Line = Readonly<Record<string, unknown>> & { readonly _aws: { readonly CloudWatchMetrics: Metrics } };

let lines: { level: string; message: string; line: Line }[];
useDate(now);

/** Logs a request that took 12 ms and two calls, and returns its line. */
function writeLogLine(state: Partial<RequestState>, status = 200, error?: ServiceError) {
  lines = [];
  const write = (level: string) => (message: string, line: object) =>
    lines.push({ level, message, line: line as Line });
  const logger = { info: write('INFO'), error: write('ERROR') } as unknown as Logger;
  const work = async () => {
    recordCall({ startMs: 0, endMs: 1, readUnits: 2, writeUnits: 0.5 });
    recordCall({ startMs: 0, endMs: 2, readUnits: 1, writeUnits: 0 });
    logRequest({ ...buildRequestState(state, new Date(now.getTime() - 12)), logger }, status, error);
  };
  // The line is written before withinDeadline returns its promise.
  void runWithinDeadline(() => 9_000, work);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.message).toBe('request');
  return lines[0]?.line as Line;
}

/** Returns the names of the metrics of a line, after a check that `service` is their only dimension. */
function readMetrics({ _aws: { CloudWatchMetrics } }: Line): string[] {
  expect(CloudWatchMetrics.map(({ Dimensions }) => Dimensions)).toEqual([[['service']]]);
  return CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map((metric) => (metric as { Name: string }).Name));
}
const serverError = (cause?: Error) => new ServiceError('INTERNAL_ERROR', unexpected, { cause });
const loginError = new ServiceError('UNAUTHORIZED', wrongLogin);

it('the log line contains the usage of the request, and marks the first request of a process', () => {
  const first = writeLogLine({});
  expect(first).toMatchObject({ cold_start: true });
  const line = writeLogLine({});
  expect(line).toMatchObject({
    ...{ status: 200, duration_ms: 12, round_trips: 1, calls: 2, read_units: 3, write_units: 0.5, cold_start: false },
    RoundTrips: 1,
  });
  expect(readMetrics(line)).toEqual(['RoundTrips']);
});

it('the log line contains the verified user and its supplier, from the directory before the token', () => {
  const caller = { userId: '77', scope: { tenant: 'a.example', supplierId: '8' } } as RequestState['caller'];
  expect(writeLogLine({ identity: user })).toMatchObject({ tenant: 'a.example', user_id: '77', supplier_id: '9' });
  const line = writeLogLine({ identity: user, caller: caller!, attemptedUser: other });
  expect(line).toMatchObject({ user_id: '77', supplier_id: '8' });
});

it('the log line contains the account and the source of a login only if it was rejected', () => {
  const allowedLine = writeLogLine({ attemptedUser: other });
  expect([allowedLine['user_id'], allowedLine['source_ip']]).toEqual([undefined, undefined]);
  expect(readMetrics(allowedLine)).toEqual(['RoundTrips']);
  const rejectedLine = writeLogLine({ attemptedUser: other, loginRejection: 'wrong-credentials' }, 401, loginError);
  expect(rejectedLine).toMatchObject({
    ...{ user_id: '78', source_ip: '192.0.2.1', login_rejected: 'wrong-credentials', code: 'UNAUTHORIZED' },
    ...{ ClientErrors: 1, LoginsRejected: 1 },
  });
  expect(rejectedLine['supplier_id']).toBeUndefined();
  expect(readMetrics(rejectedLine)).toEqual(['RoundTrips', 'ClientErrors', 'LoginsRejected']);
  expect(lines[0]?.level).toBe('INFO');
});

it.each<[Partial<RequestState>, ErrorCode | null, number, string[]]>([
  [{}, 'INVALID_DATE_RANGE', 400, ['ClientErrors']],
  [{}, 'RATE_LIMITED', 429, ['RateLimited']],
  [{}, 'INTERNAL_ERROR', 500, ['InternalErrors']],
  [{}, 'SERVICE_UNAVAILABLE', 503, ['ServiceUnavailable']],
  [{ loginRejection: 'account-locked' }, null, 200, ['LoginsRejected', 'AccountsLocked']],
  [{ isExpiringSoon: false }, null, 200, []],
  [{ isExpiringSoon: true }, null, 200, ['ExpiringCredentials']],
  [{ limiterUnavailable: true }, null, 200, ['RateLimiterUnavailable']],
])('the log line contains the metrics of the alarms: %o with the error %s', (state, code, status, names) => {
  const line = writeLogLine(state, status, code ? new ServiceError(code, unexpected) : undefined);
  expect(readMetrics(line)).toEqual(['RoundTrips', ...names]);
  expect(line).toMatchObject({ ...(code && { code }), ...Object.fromEntries(names.map((name) => [name, 1])) });
});

it('the log line has level ERROR and the cause for a server error, and level INFO for a client error', () => {
  const [cause, withoutCause] = [new Error('no table'), serverError()];
  expect(writeLogLine({}, 503, serverError(cause))).toMatchObject({ status: 503, error: cause });
  expect(writeLogLine({}, 500, withoutCause)).toMatchObject({ error: withoutCause });
  expect(lines[0]?.level).toBe('ERROR');
  expect(writeLogLine({}, 499, loginError)).not.toHaveProperty('error');
  expect(lines[0]?.level).toBe('INFO');
});

it('the log line reports account failures in a window from 50 on, and source failures in a day from 100 on', () => {
  const metricsAfter = (account: number, source: number) => {
    const state = { loginRejection: 'wrong-credentials', failureCounts: { account, source } } as const;
    return readMetrics(writeLogLine(state, 401, loginError)).slice(2);
  };
  expect(metricsAfter(49, 99)).toEqual(['LoginsRejected']);
  expect(metricsAfter(50, 0)).toEqual(['LoginsRejected', 'AccountFailuresInAWindow']);
  expect(metricsAfter(50, 100)).toEqual(['LoginsRejected', 'AccountFailuresInAWindow', 'SourceFailuresInADay']);
  expect(lines[0]?.line).toMatchObject({ AccountFailuresInAWindow: 50, SourceFailuresInADay: 100 });
});
