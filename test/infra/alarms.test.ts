import { describe, expect, it } from 'vitest';
import { stackNameOf } from '../../infra/config.ts';
import { routes, signingKeyRotation } from '../../infra/routes.ts';
import { REPORTED_FAILURES } from '../../lib/rate-limit/policies.ts';
import { requestUnits } from '../support/guides/readme.ts';
import { variantOf } from '../support/stack/stack-variants.ts';

interface Alarm {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Namespace?: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
  readonly Metrics?: readonly object[];
  readonly Threshold: number;
}

const alarmType = 'AWS::CloudWatch::Alarm';
const { outputs, resourcesOfType, theResource } = variantOf({ stage: 'prod' });
const alarms = resourcesOfType<Alarm>(alarmType).map(({ Properties }) => Properties);
const topic = theResource('AWS::SNS::Topic');
const tables = resourcesOfType('AWS::DynamoDB::Table');
const stackName = stackNameOf('prod');
const metricsOf = ({ Metrics = [{ MetricStat: {} }] }: Alarm) => Metrics.filter((metric) => 'MetricStat' in metric);

const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `${stackName}-${name}`);

describe('alarms', () => {
  it("watch these conditions, by the 49 metrics that the guide's costs count", () => {
    const expected = [
      ...['server-errors', 'latency'],
      ...routes.flatMap(({ name }) => [`${name}-errors`, `${name}-latency`, `${name}-throttles`]),
      ...tables.map(({ path }) => `${path}-throttles`),
      ...['write-units', 'rate-limiter-unavailable', 'logins-refused', 'accounts-guessed'],
      ...['account-failures', 'source-failures', 'signing-key-rotation'],
    ];
    expect(alarms.map(({ AlarmName }) => AlarmName)).toEqual(expected.map((name) => `${stackName}-${name}`));
    expect(alarms.flatMap(metricsOf)).toHaveLength(49);
  });

  it.each(alarms)('$AlarmName tells the topic when it begins and ends, and is silent without traffic', (alarm) => {
    expect(alarm).toMatchObject({
      AlarmActions: [{ Ref: topic.id }],
      OKActions: [{ Ref: topic.id }],
      TreatMissingData: 'notBreaching',
      AlarmDescription: expect.stringMatching(/infra\/ops\/README.md, "Dashboard and alarms"\.$/),
    });
  });

  it.each(routes)(
    'watch the function $name, and not another; its errors and its p99 in the latest version',
    ({ name }) => {
      const { id } = theResource('AWS::Lambda::Function', name);
      const FunctionName = { Name: 'FunctionName', Value: { Ref: id } };
      const version = theResource<{ FunctionVersion: unknown }>('AWS::Lambda::Alias', `${name}-live`).Properties;
      const ofVersion = {
        Dimensions: [
          { Name: 'ExecutedVersion', Value: version.FunctionVersion },
          FunctionName,
          { Name: 'Resource', Value: { 'Fn::Join': ['', [{ Ref: id }, ':live']] } },
        ],
        Period: 60,
      };
      expect(named(`${name}-throttles`)).toMatchObject({ Dimensions: [FunctionName] });
      expect(named(`${name}-errors`)).toMatchObject({ ...ofVersion, MetricName: 'Errors', DatapointsToAlarm: 2 });
      expect(named(`${name}-latency`)).toMatchObject({
        ...ofVersion,
        MetricName: 'Duration',
        ExtendedStatistic: 'p99',
      });
    },
  );

  it.each(tables)('watch reads and writes of $path', ({ id, path }) => {
    const metrics = JSON.stringify(named(`${path}-throttles`)?.Metrics);
    const dimensions = JSON.stringify([{ Name: 'TableName', Value: { Ref: id } }]);
    for (const metric of ['ReadThrottleEvents', 'WriteThrottleEvents'])
      expect(metrics).toContain(`"Metric":{"Dimensions":${dimensions},"MetricName":"${metric}"`);
  });

  it('watch the writes of all tables together, over an hour', () => {
    const { Metrics, ...alarm } = named('write-units') ?? {};
    const above = { EvaluationPeriods: 1, DatapointsToAlarm: 1, ComparisonOperator: 'GreaterThanThreshold' };
    expect(alarm).toMatchObject(above);
    const stat = (id: string) => {
      const Dimensions = [{ Name: 'TableName', Value: { Ref: id } }];
      const Metric = { Namespace: 'AWS/DynamoDB', MetricName: 'ConsumedWriteCapacityUnits', Dimensions };
      return { Metric, Period: 3600, Stat: 'Sum' };
    };
    const watched = (Metrics ?? []).filter((metric) => 'MetricStat' in metric);
    expect(watched).toEqual(tables.map(({ id }) => expect.objectContaining({ MetricStat: stat(id) })));
    const sum = expect.stringMatching(/^(FILL\(units\w+, 0\)( \+ )?){6}$/);
    expect(Metrics).toContainEqual(expect.objectContaining({ Expression: sum }));
  });

  it('begin, for writes, above three times what 10,000 suppliers write in an hour of work, and before one user alone writes for an hour', () => {
    const units = requestUnits();
    const writes = (name: string) => units[name]?.writeUnits ?? Number.NaN;
    // A month of a supplier, as under "Costs" in the guide.
    const calls = {
      ...{ login: 22, 'list-invoices': 110, 'get-invoice': 200 },
      ...{ 'declare-invoice': 50, 'declare-batch': 2, import: 4 },
    };
    const month = Object.entries(calls).reduce((sum, [name, count]) => sum + count * writes(name), 0);
    const ordinary = (10_000 * month) / (22 * 8);
    // Ten batches of 100 a minute: as four of 25, with one count.
    const batch = 4 * (writes('declare-batch') - 1) + 1;
    const { Threshold } = named('write-units') ?? {};
    expect(Threshold).toBeGreaterThan(3 * ordinary);
    expect(Threshold).toBeLessThan(10 * 60 * batch);
  });

  it('watch both the schedule of the rotation and its function', () => {
    const metrics = JSON.stringify(named('signing-key-rotation')?.Metrics);
    expect(metrics).toContain(theResource('AWS::Events::Rule').id);
    expect(metrics).toContain(theResource('AWS::Lambda::Function', signingKeyRotation.name).id);
  });

  it('count refused logins under the name that the functions count them under', () => {
    const login = theResource<{ Environment: { Variables: Record<string, unknown> } }>(
      'AWS::Lambda::Function',
      'login',
    );
    const { POWERTOOLS_METRICS_NAMESPACE: Namespace, POWERTOOLS_SERVICE_NAME: Value } =
      login.Properties.Environment.Variables;
    expect(named('logins-refused')).toMatchObject({ Namespace, Dimensions: [{ Name: 'service', Value }] });
  });

  it.each([
    ['account-failures', 'AccountFailuresInADay', REPORTED_FAILURES.account],
    ['source-failures', 'SourceFailuresInADay', REPORTED_FAILURES.source],
  ])('%s looks back a day at what is written from so many failures on', (name, MetricName, most) => {
    expect(named(name)).toMatchObject({
      ...{ MetricName, Statistic: 'Maximum', Threshold: 0 },
      ...{ Period: 3600, EvaluationPeriods: 24, DatapointsToAlarm: 1 },
      AlarmDescription: expect.stringContaining(` ${most} `),
    });
  });

  it('reach the topic: CloudWatch, for this account alone, may publish to it, and the outputs name it', () => {
    expect(outputs['AlarmTopic']).toEqual({ Value: { Ref: topic.id } });
    const forAlarms = {
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    expect(theResource('AWS::SNS::TopicPolicy').Properties).toMatchObject({
      Topics: [{ Ref: topic.id }],
      PolicyDocument: {
        Statement: [
          { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          { ...forAlarms, Action: 'sns:Publish', Resource: { Ref: topic.id } },
        ],
      },
    });
  });
});
