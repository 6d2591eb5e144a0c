import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../config.ts';
import { TABLE_PARTS, type TableName } from '../routes.ts';
import type { ServiceTable } from './tables.ts';

/** Creates a metric of the whole service, which the functions write. By default, it is the sum over 5 minutes. */
export function createServiceMetric(scope: Construct, metricName: string, options: MetricOptions = {}): Metric {
  const dimensionsMap = { service: Stack.of(scope).stackName };
  return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic: Stats.SUM, ...options });
}

/** Creates the sum of the reads and writes of a table that DynamoDB throttled. */
export function createThrottleMetric(table: ServiceTable, name: string): IMetric {
  const reads = createTableMetrics(table, name, { id: 'reads', metricName: 'ReadThrottleEvents' });
  const writes = createTableMetrics(table, name, { id: 'writes', metricName: 'WriteThrottleEvents' });
  return createSum({ ...reads, ...writes }, name);
}

/**
 * Returns a metric of a table and the same metric of its global index, which DynamoDB measures separately. The keys are
 * the ids of the metrics in an expression. They are unique within a graph, which can contain several tables.
 */
export function createTableMetrics(
  table: ServiceTable,
  name: string,
  { id, metricName, ...options }: MetricOptions & { readonly id: string; readonly metricName: string },
): Record<string, IMetric> {
  const settings = { statistic: Stats.SUM, ...options };
  const tableMetric = { [`${id}${name}`]: table.metric(metricName, settings) };
  // Only Declarations has a global index.
  if (name !== ('Declarations' satisfies TableName)) return tableMetric;
  const { index: GlobalSecondaryIndexName } = TABLE_PARTS['Declarations/changes'];
  const dimensionsMap = { TableName: table.tableName, GlobalSecondaryIndexName };
  return { ...tableMetric, [`${id}Changes`]: table.metric(metricName, { ...settings, dimensionsMap }) };
}

/** Creates the sum of metrics by their ids. FILL adds 0 for missing data, because metrics need traffic. */
export function createSum(
  usingMetrics: Readonly<Record<string, IMetric>>,
  label: string,
  period = Duration.minutes(5),
): MathExpression {
  const terms = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ expression: terms.join(' + '), usingMetrics, period, label });
}
