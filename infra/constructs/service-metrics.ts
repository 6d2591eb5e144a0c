import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { config } from '../config.ts';
import type { EventPublishing } from './event-publishing.ts';
import type { InvoiceApi } from './invoice-api.ts';
import type { SigningKeyRotation } from './signing-key-rotation.ts';
import type { Tables } from './tables.ts';

const namespace = config.functionEnvironment.POWERTOOLS_METRICS_NAMESPACE;

/** What of the stack is watched. */
export interface WatchedService extends Omit<InvoiceApi, 'url'> {
  readonly tables: Tables;
  readonly rotation: SigningKeyRotation;
  /** Undefined where no events are published. */
  readonly events: EventPublishing | undefined;
}

/** The time over which all metrics are added up that nothing else is said of. */
export const period = Duration.minutes(5);

/** The time over which metrics are added up that change slowly. */
export const hour = Duration.hours(1);

/** A metric that the functions write: of the whole service, or of one endpoint. */
export function serviceMetric(
  scope: Construct,
  metricName: string,
  { endpoint, statistic = Stats.SUM, over = period }: { endpoint?: string; statistic?: string; over?: Duration } = {},
): Metric {
  return new Metric({
    namespace,
    metricName,
    dimensionsMap: { service: Stack.of(scope).stackName, ...(endpoint && { endpoint }) },
    statistic,
    period: over,
    // An alarm takes a plain metric only without a label; a graph shows the name by itself.
    ...(endpoint && { label: endpoint }),
  });
}

/** The errors of the whole service, one line for each value of a dimension; optionally only those of one code. */
export function errorsBy(scope: Construct, dimension: 'code' | 'endpoint', code?: string): IMetric {
  const ofCode = code ? ` AND code = '${code}'` : '';
  return new MathExpression({
    expression: `SELECT SUM(Errors) FROM SCHEMA("${namespace}", service, endpoint, code) WHERE service = '${Stack.of(scope).stackName}'${ofCode} GROUP BY ${dimension}`,
    period,
    // Else every line has the whole query as its label, not the value that it stands for.
    label: '',
  });
}

/** Reads and writes of a table that DynamoDB refused for their rate. */
export function throttleEvents(table: Table, name: string): IMetric {
  const events = (metricName: string) => table.metric(metricName, { statistic: Stats.SUM });
  return sum(
    { [`reads${name}`]: events('ReadThrottleEvents'), [`writes${name}`]: events('WriteThrottleEvents') },
    name,
  );
}

/** What all tables together were charged for writes, in an hour. */
export function writeUnitsPerHour(tables: Tables): IMetric {
  const units = Object.entries(tables).map(([name, table]) => [
    `units${name}`,
    table.metricConsumedWriteCapacityUnits({ statistic: Stats.SUM, period: hour }),
  ]);
  return sum(Object.fromEntries(units) as Record<string, IMetric>, 'write units', hour);
}

/** The sum of metrics that have no data while nothing happens. */
export function sum(usingMetrics: Readonly<Record<string, IMetric>>, label: string, over = period): IMetric {
  const terms = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({ expression: terms.join(' + '), usingMetrics, period: over, label });
}
