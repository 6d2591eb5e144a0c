import { metricsNamespace } from './env.ts';

const UNITS = {
  Requests: 'Count',
  Duration: 'Milliseconds',
  RoundTrips: 'Count',
  ConsumedReadUnits: 'Count',
  ConsumedWriteUnits: 'Count',
  ColdStart: 'Count',
  Errors: 'Count',
  LoginsRefused: 'Count',
  AccountsSpent: 'Count',
  AccountFailuresInADay: 'Count',
  SourceFailuresInADay: 'Count',
  RateLimiterUnavailable: 'Count',
} as const;

type MetricName = keyof typeof UNITS;

/** Metrics with the names of their dimensions; the dimensions' values are members of the log line itself. */
export interface MetricGroup {
  readonly dimensions: readonly string[];
  readonly values: { readonly [name in MetricName]?: number };
}

const namespace = metricsNamespace();

/** The members by which a log line carries metrics: CloudWatch's embedded metric format. */
export function embeddedMetrics(groups: readonly MetricGroup[], now: Date): object {
  const directives = groups.map(({ dimensions, values }) => ({
    Namespace: namespace,
    Dimensions: [dimensions],
    Metrics: Object.keys(values).map((name) => ({ Name: name, Unit: UNITS[name as MetricName] })),
  }));
  return {
    _aws: { Timestamp: now.getTime(), CloudWatchMetrics: directives },
    ...Object.assign({}, ...groups.map(({ values }) => values)),
  };
}
