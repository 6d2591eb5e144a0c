import { Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarm, IMetric, IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../config.ts';
import type { EventPublishing } from './event-publishing.ts';
import type { InvoiceApi } from './invoice-api.ts';
import type { SigningKeyRotation } from './service-function.ts';
import type { Tables } from './tables.ts';

/** The parts of the stack that are monitored. */
export interface MonitoredService extends Omit<InvoiceApi, 'url' | 'aliases'> {
  readonly tables: Tables;
  readonly rotation: SigningKeyRotation;
  readonly events: EventPublishing | undefined;
}

export const period = Duration.minutes(5);

/** Returns a metric that the functions write for the service as a whole. */
export function createServiceMetric(
  scope: Construct,
  metricName: string,
  { statistic = Stats.SUM, over = period }: { statistic?: string; over?: Duration } = {},
): Metric {
  const dimensionsMap = { service: Stack.of(scope).stackName };
  return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic, period: over });
}

/** Returns the metric of reads and writes of a table that DynamoDB throttled. */
export function createThrottleMetric(table: Table, name: string): IMetric {
  const events = (metricName: string) => table.metric(metricName, { statistic: Stats.SUM });
  return createSum(
    { [`reads${name}`]: events('ReadThrottleEvents'), [`writes${name}`]: events('WriteThrottleEvents') },
    name,
  );
}

/** Creates the sum of metrics that have no data without traffic. */
export function createSum(usingMetrics: Readonly<Record<string, IMetric>>, label: string, over = period): IMetric {
  const terms = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({ expression: terms.join(' + '), usingMetrics, period: over, label });
}

const size = { width: 8, height: 6 };

/** Creates the dashboard of the stack, with its name: responses to clients, rejections, functions and tables. */
export function createDashboard(scope: Construct, service: MonitoredService, alarms: Alarm[]): void {
  const { stage, functions, tables, accessLogs } = service;
  const logGroups = Object.values(functions).map(({ logGroup }) => logGroup.logGroupName);
  const count = (name: string) => createServiceMetric(scope, name);
  const clients = [
    graph(
      'Requests',
      each(functions, (handler, label) => handler.metricInvocations({ label, period })),
    ),
    graph('Errors', ['ClientErrors', 'RateLimited', 'InternalErrors', 'ServiceUnavailable'].map(count)),
    graph(
      'Latency at the gateway (ms); p99 of each function on the right',
      [50, 95, 99].map((percent) => stage.metricLatency({ statistic: Stats.p(percent), label: `p${percent}`, period })),
      each(functions, (handler, label) => handler.metricDuration({ statistic: Stats.p(99), label, period })),
    ),
  ];
  const rejections = [
    query('Errors by code and endpoint', logGroups, [
      'filter message = "request" and ispresent(code)',
      'stats count(*) as errors by code, endpoint',
      'sort errors desc',
    ]),
    graph(
      'Rejected logins, and those of them on locked accounts; requests that the rate limiter did not count on the right',
      ['LoginsRefused', 'AccountsLocked'].map(count),
      [count('RateLimiterUnavailable')],
    ),
    query(
      'Answers of the gateway itself (THROTTLED: stage limit)',
      [accessLogs.logGroupName],
      ['filter error != "-"', 'stats count(*) as answers by error', 'sort answers desc'],
    ),
  ];
  const calls = [
    query('Cold starts', logGroups, [
      'filter @type = "REPORT"',
      'stats count(*) as calls, count(@initDuration) as starts, max(@initDuration) as slowest_ms by @log',
    ]),
    graph(
      'Functions that crashed or timed out; throttled on the right',
      each(functions, (handler, label) => handler.metricErrors({ label, period })),
      each(functions, (handler, label) => handler.metricThrottles({ label, period })),
    ),
    graph(
      'Concurrency; round trips of a request on the right',
      each(functions, (handler, label) =>
        handler.metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM, label, period }),
      ),
      [createServiceMetric(scope, 'RoundTrips', { statistic: Stats.AVERAGE })],
    ),
  ];
  const storage = [
    graph(
      'Consumed read units; write units on the right',
      each(tables, (table, label) => table.metricConsumedReadCapacityUnits({ label, period })),
      each(tables, (table, label) => table.metricConsumedWriteCapacityUnits({ label, period })),
    ),
    graph('Reads and writes that DynamoDB throttled', each(tables, createThrottleMetric)),
  ];
  const status = new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 });
  new Dashboard(scope, 'Dashboard', {
    dashboardName: Stack.of(scope).stackName,
    widgets: [[status], clients, rejections, calls, storage],
  });
}

function each<Item>(items: Readonly<Record<string, Item>>, metric: (item: Item, name: string) => IMetric): IMetric[] {
  return Object.entries(items).map(([name, item]) => metric(item, name));
}

function query(title: string, logGroupNames: string[], queryLines: string[]): IWidget {
  return new LogQueryWidget({ title, logGroupNames, queryLines, view: LogQueryVisualizationType.TABLE, ...size });
}

function graph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  return new GraphWidget({ title, left, right, leftYAxis: { min: 0 }, rightYAxis: { min: 0 }, ...size });
}
