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
import type { InvoiceApi } from './invoice-api.ts';
import { createServiceMetric } from './metrics.ts';

const WIDGET_SIZE = { width: 8, height: 6 };

/** Creates a dashboard with the alarms, requests, errors and latencies. Its name contains those of stack and region. */
export function createDashboard(scope: Construct, api: InvoiceApi, alarms: Alarm[]): void {
  const { stackName, region } = Stack.of(scope);
  new Dashboard(scope, 'Dashboard', {
    // The names of dashboards are unique in an account. A stack with the same name can be in another region.
    dashboardName: `${stackName}-${region}`,
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 })],
      createRequestWidgets(scope, api),
      createErrorWidgets(api),
    ],
  });
}

/** Creates the graphs of what callers notice: requests, error responses and latencies. */
function createRequestWidgets(scope: Construct, { stage, functions }: InvoiceApi): IWidget[] {
  const handlers = Object.entries(functions);
  const requests = handlers.map(([label, handler]) => handler.metricInvocations({ label }));
  // lib/http/request.ts writes these metrics.
  const errorNames = ['ClientErrors', 'RateLimited', 'InternalErrors', 'ServiceUnavailable'];
  const errors = errorNames.map((name) => createServiceMetric(scope, name));
  const latencies = [50, 95, 99].map((percent) =>
    stage.metricLatency({ statistic: Stats.p(percent), label: `p${percent}` }),
  );
  const durations = handlers.map(([label, handler]) => handler.metricDuration({ statistic: Stats.p(99), label }));
  return [
    createGraph('Requests', requests),
    createGraph('Errors', errors),
    createGraph('Latency at the gateway (left, ms), p99 of each function (right, ms)', latencies, durations),
  ];
}

/** Creates the tables and the graph with which an operator finds the cause of errors. */
function createErrorWidgets({ functions, accessLogs }: InvoiceApi): IWidget[] {
  const handlers = Object.entries(functions);
  const functionLogs = handlers.map(([, { logGroup }]) => logGroup.logGroupName);
  const crashes = handlers.map(([label, handler]) => handler.metricErrors({ label }));
  const throttles = handlers.map(([label, handler]) => handler.metricThrottles({ label }));
  return [
    // The functions log one line with the message "request" for each request (lib/http/request.ts).
    createQuery('Errors by code and endpoint', functionLogs, [
      'filter message = "request" and ispresent(code)',
      'stats count(*) as errors by code, endpoint',
      'sort errors desc',
    ]),
    // The access log of the gateway contains "-" for a field without a value.
    createQuery(
      'Error responses of the gateway itself (THROTTLED is the limit of the stage)',
      [accessLogs.logGroupName],
      ['filter error != "-"', 'stats count(*) as responses by error', 'sort responses desc'],
    ),
    createGraph('Calls that crashed or timed out (left), throttled calls (right)', crashes, throttles),
  ];
}

function createQuery(title: string, logGroupNames: string[], queryLines: string[]): IWidget {
  const view = LogQueryVisualizationType.TABLE;
  return new LogQueryWidget({ title, logGroupNames, queryLines, view, ...WIDGET_SIZE });
}

function createGraph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  return new GraphWidget({ title, left, right, leftYAxis: { min: 0 }, rightYAxis: { min: 0 }, ...WIDGET_SIZE });
}
