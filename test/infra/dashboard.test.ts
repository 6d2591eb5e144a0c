import { describe, expect, it } from 'vitest';
import { stackNameOf } from '../../infra/config.ts';
import { routes } from '../../infra/routes.ts';
import { resourcesOfType, theResource } from '../support/stack/stack-template.ts';

type Reference = { readonly Ref: string } | { readonly 'Fn::GetAtt': readonly [string, string] };

interface DashboardProperties {
  readonly DashboardName: string;
  readonly DashboardBody: { readonly 'Fn::Join': readonly ['', readonly (string | Reference)[]] };
}

const tables = resourcesOfType('AWS::DynamoDB::Table');
const stackName = stackNameOf('dev');

describe('dashboard', () => {
  const { DashboardName, DashboardBody } = theResource<DashboardProperties>('AWS::CloudWatch::Dashboard').Properties;
  const body = DashboardBody['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : idOf(part))).join('');
  const widgets = (JSON.parse(body) as { widgets: { properties: { metrics?: unknown[][] } }[] }).widgets;
  const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []).map((metric) => JSON.stringify(metric));
  const isShown = (...parts: string[]) => metrics.some((metric) => parts.every((part) => metric.includes(part)));

  it('has the name of the stack', () => {
    expect(DashboardName).toBe(stackName);
  });

  it.each(['Requests', 'Duration', 'ColdStart'])('shows %s of every endpoint', (metric) => {
    const shown = (endpoint: string) =>
      isShown(`"SupplierPortal","${metric}","endpoint","${endpoint}","service","${stackName}"`);
    expect(routes.filter(({ name }) => !shown(name))).toEqual([]);
  });

  it.each([
    'ConsumedReadCapacityUnits',
    'ConsumedWriteCapacityUnits',
    'ReadThrottleEvents',
    'WriteThrottleEvents',
    'SystemErrors',
  ])('shows %s of every table', (metric) => {
    expect(tables.filter(({ id }) => !isShown(metric, id))).toEqual([]);
  });

  it.each(['Errors', 'Throttles', 'Duration', 'ConcurrentExecutions'])('shows %s of every function', (metric) => {
    const idOfFunction = (name: string) => theResource('AWS::Lambda::Function', name).id;
    expect(routes.filter(({ name }) => !isShown(`"AWS/Lambda","${metric}"`, idOfFunction(name)))).toEqual([]);
  });

  it.each([
    ['GROUP BY code'],
    ["code = 'RATE_LIMITED'"],
    ['LoginsRefused'],
    ['AccountsSpent'],
    ['RateLimiterUnavailable'],
  ])('shows %s', (text) => {
    expect(isShown(text)).toBe(true);
  });

  it.each(['p50', 'p95', 'p99'])('shows the latency at %s', (percentile) => {
    expect(isShown('"AWS/ApiGateway","Latency"', `"stat":"${percentile}"`)).toBe(true);
  });

  it('shows every alarm, and the answers that the gateway itself gave', () => {
    expect(resourcesOfType('AWS::CloudWatch::Alarm').filter(({ id }) => !body.includes(id))).toEqual([]);
    expect(body).toContain(`SOURCE '${theResource('AWS::Logs::LogGroup', 'access-logs').id}'`);
  });
});

function idOf(reference: Reference): string {
  return 'Ref' in reference ? reference.Ref : reference['Fn::GetAtt'][0];
}
