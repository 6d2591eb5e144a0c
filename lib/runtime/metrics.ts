import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

const metrics = new Metrics();

/** Counts one event of this name in the embedded metric format, at once. */
export function countEvent(name: 'RateLimiterUnavailable'): void {
  metrics.singleMetric().addMetric(name, MetricUnit.Count, 1);
}
