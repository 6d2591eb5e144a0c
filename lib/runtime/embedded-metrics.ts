import { metricsNamespace } from './env.ts';

/**
 * Builds the members by which a log line carries metrics of the service as a whole, in CloudWatch's embedded metric
 * format; the dimension's value is a member of the line itself.
 */
export function embeddedMetrics(values: Readonly<Record<string, number>>, now: Date): object {
  const Metrics = Object.keys(values).map((Name) => ({ Name, Unit: 'Count' }));
  const directive = { Namespace: metricsNamespace(), Dimensions: [['service']], Metrics };
  return { _aws: { Timestamp: now.getTime(), CloudWatchMetrics: [directive] }, ...values };
}
