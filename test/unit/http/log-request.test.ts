import { afterEach, describe, expect, it, vi } from 'vitest';
import { logRequest } from '../../../lib/http/log-request.ts';
import { REPORTED_FAILURES } from '../../../lib/rate-limit/policies.ts';
import { Logger } from '../../../lib/runtime/logger.ts';
import { measured } from '../../../lib/runtime/usage.ts';
import { type LogLine, metricsIn } from '../../support/answers/embedded-metrics.ts';
import { aRequest } from '../../support/service/request-state.ts';

// The log line names the metrics' namespace and the service, which a function has in its environment.
vi.hoisted(() => {
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'SupplierPortal');
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'test');
});
afterEach(() => void vi.restoreAllMocks());

/** The failures in a day that the line of a wrong login reports, by the names of their metrics. */
function reported(failuresOfDay: { readonly source: number; readonly account: number }): Record<string, number> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const logger = new Logger({ endpoint: 'login' });
  const state = aRequest({ logger, loginRefused: 'wrong-credentials' as const, failuresOfDay });
  measured(() => logRequest(state, { status: 401, error: null, now: new Date() }));
  const metrics = metricsIn(JSON.parse(String(write.mock.calls.at(-1)?.[0])) as LogLine);
  const ofDay = metrics.filter(({ name }) => name.endsWith('InADay'));
  return Object.fromEntries(ofDay.map(({ name, value }) => [name, value]));
}

describe('the log line of a wrong login', () => {
  const { account, source } = REPORTED_FAILURES;

  it('reports the failures of a day from 50 of an account and 100 of a source on, and no metric of them before', () => {
    expect(reported({ account: account - 1, source: source - 1 })).toEqual({});
    expect(reported({ account, source: 0 })).toEqual({ AccountFailuresInADay: 50 });
    expect(reported({ account: account + 7, source: source + 3 })).toEqual({
      AccountFailuresInADay: 57,
      SourceFailuresInADay: 103,
    });
  });
});
