import { describe, expect, it } from 'vitest';
import { stackNameOf } from '../../infra/config.ts';
import { routes } from '../../infra/routes.ts';
import { variantOf } from '../support/stack/stack-variants.ts';

type Reference = { readonly Ref: string } | { readonly 'Fn::GetAtt': readonly [string, string] };

interface DashboardProperties {
  readonly DashboardName: string;
  readonly DashboardBody: { readonly 'Fn::Join': readonly ['', readonly (string | Reference)[]] };
}

const stackName = stackNameOf('prod');
const { resourcesOfType, theResource } = variantOf({ stage: 'prod' });
const { DashboardName, DashboardBody } = theResource<DashboardProperties>('AWS::CloudWatch::Dashboard').Properties;
const idOf = (reference: Reference) => ('Ref' in reference ? reference.Ref : reference['Fn::GetAtt'][0]);
const body = DashboardBody['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : idOf(part))).join('');
const widgets = (JSON.parse(body) as { widgets: { properties: { metrics?: unknown[][]; query?: string } }[] }).widgets;
const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []).map((metric) => JSON.stringify(metric));
const isShown = (parts: readonly string[]) => metrics.some((metric) => parts.every((part) => metric.includes(part)));

const throttles = ['ReadThrottleEvents', 'WriteThrottleEvents'];
const ofTables = ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits', ...throttles, 'SystemErrors'];
const ofFunctions = ['Invocations', 'Errors', 'Throttles', 'Duration', 'ConcurrentExecutions'];
const errors = ['ClientErrors', 'RateLimited', 'InternalErrors', 'ServiceUnavailable'];
const own = [...errors, 'RoundTrips', 'LoginsRefused', 'AccountsSpent', 'RateLimiterUnavailable'];
const tables = resourcesOfType('AWS::DynamoDB::Table').map(({ id }) => id);
const functions = routes.map(({ name }) => theResource('AWS::Lambda::Function', name).id);

describe('the dashboard', () => {
  it.each([
    ...ofTables.map((metric) => ['table', metric, tables]),
    ...ofFunctions.map((metric) => ['function', `"AWS/Lambda","${metric}"`, functions]),
  ] as [string, string, string[]][])('shows of every %s %s', (_, metric, names) => {
    expect(names.filter((name) => !isShown([metric, name]))).toEqual([]);
  });

  it.each([...own.map((text) => [text]), ...['p50', 'p95', 'p99'].map((at) => ['"Latency"', `"stat":"${at}"`])])(
    'shows %s %s',
    (...parts) => {
      expect(isShown(parts)).toBe(true);
    },
  );

  it('has the name of the stack, and shows every alarm and the answers that the gateway itself gave', () => {
    expect(DashboardName).toBe(stackName);
    expect(resourcesOfType('AWS::CloudWatch::Alarm').filter(({ id }) => !body.includes(id))).toEqual([]);
    expect(body).toContain(`SOURCE '${theResource('AWS::Logs::LogGroup', 'access-logs').id}'`);
  });

  it('asks the logs of every function for errors by code and endpoint, and for cold starts', () => {
    const groups = routes.map(({ name }) => theResource('AWS::Logs::LogGroup', `${name}-logs`).id);
    const queries = widgets.map(({ properties }) => properties.query ?? '');
    for (const words of ['count(*) as errors by code, endpoint', 'count(@initDuration) as starts']) {
      const query = queries.find((one) => one.includes(words));
      expect(groups.filter((group) => !query?.includes(`SOURCE '${group}'`))).toEqual([]);
    }
  });
});
