import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../config.ts';

/** Returns a metric of the whole service, which the functions write. By default, it is the sum over 5 minutes. */
export function createServiceMetric(scope: Construct, metricName: string, options: MetricOptions = {}): Metric {
  const dimensionsMap = { service: Stack.of(scope).stackName };
  return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic: Stats.SUM, ...options });
}

export function createThrottleMetric(table: Table, name: string): IMetric {
  const reads = table.metric('ReadThrottleEvents', { statistic: Stats.SUM });
  const writes = table.metric('WriteThrottleEvents', { statistic: Stats.SUM });
  // The ids of metrics must be unique within a graph, which can contain several tables.
  return createSum({ [`reads${name}`]: reads, [`writes${name}`]: writes }, name);
}

/**
 * Creates the sum of metrics, whose keys are their ids in the expression. FILL replaces missing data with 0, because a
 * metric has no data without traffic.
 */
export function createSum(
  usingMetrics: Readonly<Record<string, IMetric>>,
  label: string,
  period = Duration.minutes(5),
): MathExpression {
  const terms = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ expression: terms.join(' + '), usingMetrics, period, label });
}
