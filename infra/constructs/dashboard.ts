import { Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Stats,
  type Alarm,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { period, serviceMetric, throttleEvents, type MonitoredService } from './service-metrics.ts';

const size = { width: 8, height: 6 };

/** Creates the dashboard of the stack, with its name: responses to clients, rejections, functions and tables. */
export function createDashboard(scope: Construct, service: MonitoredService, alarms: Alarm[]): void {
  const { stage, functions, tables, accessLogs } = service;
  const logGroups = Object.values(functions).map(({ logGroup }) => logGroup.logGroupName);
  const count = (name: string) => serviceMetric(scope, name);
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
      [serviceMetric(scope, 'RoundTrips', { statistic: Stats.AVERAGE })],
    ),
  ];
  const storage = [
    graph(
      'Consumed read units; write units on the right',
      each(tables, (table, label) => table.metricConsumedReadCapacityUnits({ label, period })),
      each(tables, (table, label) => table.metricConsumedWriteCapacityUnits({ label, period })),
    ),
    graph('Reads and writes that DynamoDB throttled', each(tables, throttleEvents)),
    graph('Failures inside DynamoDB', each(tables, systemErrors)),
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

/** Returns the system errors of all operations on a table, most of which a retry corrects. */
function systemErrors({ tableName }: Table, label: string): IMetric {
  const search = `{AWS/DynamoDB,Operation,TableName} MetricName="SystemErrors" TableName="${tableName}"`;
  return new MathExpression({ expression: `SUM(SEARCH('${search}', 'Sum', 300))`, label, period });
}

function query(title: string, logGroupNames: string[], queryLines: string[]): IWidget {
  return new LogQueryWidget({ title, logGroupNames, queryLines, view: LogQueryVisualizationType.TABLE, ...size });
}

function graph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  return new GraphWidget({ title, left, right, leftYAxis: { min: 0 }, rightYAxis: { min: 0 }, ...size });
}
