import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { DimensionsMap, IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { config } from '../config.ts';
import type { EventPublishing } from './event-publishing.ts';
import type { InvoiceApi } from './invoice-api.ts';
import type { SigningKeyRotation } from './signing-key-rotation.ts';
import type { Tables } from './tables.ts';

const namespace = config.functionEnvironment.POWERTOOLS_METRICS_NAMESPACE;

/** What of the stack is watched. */
export interface WatchedService extends Omit<InvoiceApi, 'url' | 'aliases'> {
  readonly tables: Tables;
  readonly rotation: SigningKeyRotation;
  /** Undefined where no events are published. */
  readonly events: EventPublishing | undefined;
}

/** The time over which all metrics are added up that nothing else is said of. */
export const period = Duration.minutes(5);

/** The time over which metrics are added up that decide about a new version. */
export const minute = Duration.minutes(1);

/** The time over which metrics are added up that change slowly. */
export const hour = Duration.hours(1);

/** A metric that the functions write, of the service as a whole. */
export function serviceMetric(
  scope: Construct,
  metricName: string,
  { statistic = Stats.SUM, over = period }: { statistic?: string; over?: Duration } = {},
): Metric {
  const dimensionsMap = { service: Stack.of(scope).stackName };
  return new Metric({ namespace, metricName, dimensionsMap, statistic, period: over });
}

/** The stage of the API. */
export const GATEWAY_STAGE = 'live';

/** The alias of the functions that the API calls where new versions are tried first. */
export const LIVE_ALIAS = 'live';

/** The dimensions of what the version does that is being deployed, or was deployed last, behind its alias. */
export function ofLatestVersion({ functionName, currentVersion }: Function): DimensionsMap {
  const Resource = `${functionName}:${LIVE_ALIAS}`;
  return { FunctionName: functionName, Resource, ExecutedVersion: currentVersion.version };
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
