import { describe, expect, it } from 'vitest';
import { stackNameOf } from '../../infra/config.ts';
import { routes } from '../../infra/routes.ts';
import { REPORTED_FAILURES } from '../../lib/rate-limit/policies.ts';
import { namesInListsOf } from '../support/guides/readme.ts';
import { everyOption, variantOf } from '../support/stack/stack-variants.ts';

interface DashboardProperties {
  readonly DashboardName: string;
  readonly DashboardBody: { readonly 'Fn::Join': readonly ['', readonly (string | object)[]] };
}

const alarmType = 'AWS::CloudWatch::Alarm';
const { outputs, resourcesOfType, theResource } = variantOf({ stage: 'prod', ...everyOption });
const alarms = resourcesOfType<{ AlarmName: string }>(alarmType).map(({ Properties }) => Properties);
const topic = theResource('AWS::SNS::Topic');
const tables = resourcesOfType('AWS::DynamoDB::Table');
const stackName = stackNameOf('prod');
const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `${stackName}-${name}`);
const textOf = (name: string) => JSON.stringify(named(name));

describe('alarms', () => {
  it('are the ones that the guide of operators explains', () => {
    const explained = namesInListsOf('infra/ops/README.md', 'Dashboard and alarms').flatMap((name) => {
      if (name.startsWith('<function>')) return routes.map((route) => name.replace('<function>', route.name));
      return name.startsWith('<table>') ? tables.map(({ path }) => name.replace('<table>', path)) : [name];
    });
    const created = alarms.map(({ AlarmName }) => AlarmName.replace(`${stackName}-`, ''));
    expect(created.toSorted()).toEqual(explained.toSorted());
  });

  it('tell the topic when they begin and end, are silent without traffic, and lead to the guide', () => {
    const told = {
      AlarmActions: [{ Ref: topic.id }],
      OKActions: [{ Ref: topic.id }],
      TreatMissingData: 'notBreaching',
      AlarmDescription: expect.stringMatching(/infra\/ops\/README.md, "Dashboard and alarms"\.$/),
    };
    expect(alarms).toEqual(alarms.map(() => expect.objectContaining(told)));
  });

  it('reach the topic: CloudWatch, for this account alone, may publish to it, and the outputs name it', () => {
    expect(outputs['AlarmTopic']).toEqual({ Value: { Ref: topic.id } });
    const statement = {
      ...{ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    expect(theResource('AWS::SNS::TopicPolicy').Properties).toMatchObject({
      PolicyDocument: { Statement: [{ Effect: 'Deny' }, statement] },
    });
    const subscription = { Endpoint: everyOption.alarmEmail, Protocol: 'email', TopicArn: { Ref: topic.id } };
    expect(theResource('AWS::SNS::Subscription').Properties).toEqual(subscription);
  });

  it.each(routes)('watch the function $name; its errors and its p99 in the latest version', ({ name }) => {
    const { id } = theResource('AWS::Lambda::Function', name);
    const FunctionName = { Name: 'FunctionName', Value: { Ref: id } };
    const version = theResource<{ FunctionVersion: unknown }>('AWS::Lambda::Alias', `${name}-live`).Properties;
    const Resource = { Name: 'Resource', Value: { 'Fn::Join': ['', [{ Ref: id }, ':live']] } };
    const latest = [{ Name: 'ExecutedVersion', Value: version.FunctionVersion }, FunctionName, Resource];
    expect(named(`${name}-throttles`)).toMatchObject({ Dimensions: [FunctionName] });
    expect(named(`${name}-errors`)).toMatchObject({ Dimensions: latest, MetricName: 'Errors' });
    expect(named(`${name}-latency`)).toMatchObject({ Dimensions: latest, ExtendedStatistic: 'p99' });
  });

  it.each([
    ...tables.map(({ path, id }): [string, string[]] => [`${path}-throttles`, [id, 'ReadThrottle', 'WriteThrottle']]),
    ['write-units', ['ConsumedWriteCapacityUnits', ...tables.map(({ id }) => id)]],
    ['signing-key-rotation', [theResource('AWS::Events::Rule').id, 'rotatesigningkey']],
    ['account-failures', ['AccountFailuresInADay', ` ${REPORTED_FAILURES.account} `]],
    ['source-failures', ['SourceFailuresInADay', ` ${REPORTED_FAILURES.source} `]],
    ['events-late', [theResource('AWS::Lambda::Function', 'publish-events').id, 'IteratorAge']],
    ['events-unpublished', [theResource('AWS::SQS::Queue').id, 'ApproximateNumberOfMessagesVisible']],
  ])('watch with %s what it says: %j', (name, parts) => {
    for (const part of parts) expect(textOf(name)).toContain(part);
  });

  it('count refused logins under the name that the functions count them under', () => {
    const type = 'AWS::Lambda::Function';
    const login = theResource<{ Environment: { Variables: Record<string, unknown> } }>(type, 'login').Properties;
    const { POWERTOOLS_METRICS_NAMESPACE: Namespace, POWERTOOLS_SERVICE_NAME: Value } = login.Environment.Variables;
    expect(named('logins-refused')).toMatchObject({ Namespace, Dimensions: [{ Name: 'service', Value }] });
  });
});

describe('the dashboard', () => {
  const { DashboardName, DashboardBody } = theResource<DashboardProperties>('AWS::CloudWatch::Dashboard').Properties;
  const parts = DashboardBody['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : JSON.stringify(part)));
  const body = parts.join('');

  it('has the name of the stack, and shows every alarm, table and function, and the logs of each', () => {
    expect(DashboardName).toBe(stackName);
    const functions = routes.map(({ name }) => theResource('AWS::Lambda::Function', name));
    const logs = [...routes.map(({ name }) => `${name}-logs`), 'access-logs'];
    const groups = logs.map((path) => theResource('AWS::Logs::LogGroup', path));
    const all = [...resourcesOfType(alarmType), ...tables, ...functions, ...groups];
    expect(all.filter(({ id }) => !body.includes(`"${id}"`))).toEqual([]);
  });

  it.each([
    ...['ClientErrors', 'RateLimited', 'InternalErrors', 'ServiceUnavailable', 'RoundTrips', 'LoginsRefused'],
    ...['AccountsSpent', 'RateLimiterUnavailable', 'count(*) as errors by code, endpoint', 'count(@initDuration)'],
  ])('shows what the functions count and log: %s', (name) => {
    expect(body).toContain(name);
  });
});
