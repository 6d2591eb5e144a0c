import { Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { EventPublishing } from './event-publishing.ts';
import type { InvoiceApi } from './invoice-api.ts';
import { createServiceMetric, createThrottleMetric } from './metrics.ts';
import type { SigningKeyRotation } from './service-function.ts';
import type { Tables } from './tables.ts';

/** The parts of the stack that alarms and the dashboard measure. */
export interface MonitoredService extends Omit<InvoiceApi, 'url' | 'aliases'> {
  readonly tables: Tables;
  readonly rotation: SigningKeyRotation;
  readonly events: EventPublishing | undefined;
}

const WIDGET_SIZE = { width: 8, height: 6 };

/** Creates a dashboard with the name and region of the stack. It shows responses, rejections, functions and tables. */
export function createDashboard(scope: Construct, service: MonitoredService, alarms: Alarm[]): void {
  const { stackName, region } = Stack.of(scope);
  const alarmWidget = new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 });
  new Dashboard(scope, 'Dashboard', {
    // The names of dashboards are unique in an account. A stack with the same name can be in another region.
    dashboardName: `${stackName}-${region}`,
    widgets: [
      [alarmWidget],
      createClientWidgets(scope, service),
      createRejectionWidgets(scope, service),
      createResourceWidgets(service),
    ],
  });
}

function createClientWidgets(scope: Construct, { stage, functions }: MonitoredService): IWidget[] {
  const errorNames = ['ClientErrors', 'RateLimited', 'InternalErrors', 'ServiceUnavailable'];
  const errors = errorNames.map((name) => createServiceMetric(scope, name));
  const requests = createMetrics(functions, (handler, label) => handler.metricInvocations({ label }));
  const latencies = [50, 95, 99].map((percent) =>
    stage.metricLatency({ statistic: Stats.p(percent), label: `p${percent}` }),
  );
  const durations = createMetrics(functions, (handler, label) =>
    handler.metricDuration({ statistic: Stats.p(99), label }),
  );
  return [
    createGraph('Requests', requests),
    createGraph('Errors', errors),
    createGraph('Latency at the gateway (left, ms), p99 of each function (right, ms)', latencies, durations),
  ];
}

function createRejectionWidgets(scope: Construct, { functions, accessLogs }: MonitoredService): IWidget[] {
  const functionLogs = Object.values(functions).map(({ logGroup }) => logGroup.logGroupName);
  return [
    createQuery('Errors by code and endpoint', functionLogs, [
      'filter message = "request" and ispresent(code)',
      'stats count(*) as errors by code, endpoint',
      'sort errors desc',
    ]),
    createGraph(
      'Rejected logins, and rejected logins of locked accounts (left); requests without a working rate limiter (right)',
      ['LoginsRejected', 'AccountsLocked'].map((name) => createServiceMetric(scope, name)),
      [createServiceMetric(scope, 'RateLimiterUnavailable')],
    ),
    createQuery(
      'Error responses of the gateway itself (THROTTLED is the limit of the stage)',
      [accessLogs.logGroupName],
      ['filter error != "-"', 'stats count(*) as responses by error', 'sort responses desc'],
    ),
  ];
}

function createResourceWidgets({ functions, tables }: MonitoredService): IWidget[] {
  const crashes = createMetrics(functions, (handler, label) => handler.metricErrors({ label }));
  const throttles = createMetrics(functions, (handler, label) => handler.metricThrottles({ label }));
  const readUnits = createMetrics(tables, (table, label) => table.metricConsumedReadCapacityUnits({ label }));
  const writeUnits = createMetrics(tables, (table, label) => table.metricConsumedWriteCapacityUnits({ label }));
  return [
    createGraph('Calls that crashed or timed out (left), throttled calls (right)', crashes, throttles),
    createGraph('Consumed read units (left), write units (right)', readUnits, writeUnits),
    createGraph('Reads and writes that DynamoDB throttled', createMetrics(tables, createThrottleMetric)),
  ];
}

function createMetrics<Item>(
  items: Readonly<Record<string, Item>>,
  createMetric: (item: Item, name: string) => IMetric,
): IMetric[] {
  return Object.entries(items).map(([name, item]) => createMetric(item, name));
}

function createQuery(title: string, logGroupNames: string[], queryLines: string[]): IWidget {
  const view = LogQueryVisualizationType.TABLE;
  return new LogQueryWidget({ title, logGroupNames, queryLines, view, ...WIDGET_SIZE });
}

function createGraph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  return new GraphWidget({ title, left, right, leftYAxis: { min: 0 }, rightYAxis: { min: 0 }, ...WIDGET_SIZE });
}
