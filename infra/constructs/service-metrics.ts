import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../config.ts';
import type { EventPublishing } from './event-publishing.ts';
import type { InvoiceApi } from './invoice-api.ts';
import type { SigningKeyRotation } from './signing-key-rotation.ts';
import type { Tables } from './tables.ts';

/** The parts of the stack that are monitored. */
export interface MonitoredService extends Omit<InvoiceApi, 'url' | 'aliases'> {
  readonly tables: Tables;
  readonly rotation: SigningKeyRotation;
  /** Undefined if no events are published. */
  readonly events: EventPublishing | undefined;
}

export const period = Duration.minutes(5);

/** Returns a metric that the functions write for the service as a whole. */
export function serviceMetric(
  scope: Construct,
  metricName: string,
  { statistic = Stats.SUM, over = period }: { statistic?: string; over?: Duration } = {},
): Metric {
  const dimensionsMap = { service: Stack.of(scope).stackName };
  return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic, period: over });
}

/** Returns the metric of reads and writes of a table that DynamoDB throttled. */
export function throttleEvents(table: Table, name: string): IMetric {
  const events = (metricName: string) => table.metric(metricName, { statistic: Stats.SUM });
  return sum(
    { [`reads${name}`]: events('ReadThrottleEvents'), [`writes${name}`]: events('WriteThrottleEvents') },
    name,
  );
}

/** Returns the sum of metrics that have no data without traffic. */
export function sum(usingMetrics: Readonly<Record<string, IMetric>>, label: string, over = period): IMetric {
  const terms = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({ expression: terms.join(' + '), usingMetrics, period: over, label });
}
