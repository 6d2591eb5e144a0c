import { describe, expect, it } from 'vitest';
import { stackNameOf } from '../../infra/config.ts';
import { fixed } from '../../infra/costs/workload.ts';
import { routes, signingKeyRotation } from '../../infra/routes.ts';
import { namesInTableAfter } from '../support/readme.ts';
import { resourcesOfType, theResource } from '../support/stack-template.ts';

interface Alarm {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Namespace?: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
  readonly Metrics?: readonly object[];
}

const alarms = resourcesOfType<Alarm>('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
const topic = theResource<{ KmsMasterKeyId: unknown }>('AWS::SNS::Topic');
const tables = resourcesOfType('AWS::DynamoDB::Table');
const stackName = stackNameOf('dev');

const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `${stackName}-${name}`);

describe('alarms', () => {
  it('watch these conditions', () => {
    const expected = [
      'server-errors',
      'latency',
      ...routes.flatMap(({ name }) => [`${name}-errors`, `${name}-throttles`]),
      ...tables.map(({ path }) => `${path}-throttles`),
      'rate-limiter-unavailable',
      'logins-refused',
      'accounts-guessed',
      'signing-key-rotation',
    ];
    expect(alarms.map(({ AlarmName }) => AlarmName)).toEqual(expected.map((name) => `${stackName}-${name}`));
  });

  it('watch as many metrics as the costs are computed with', () => {
    const metricsOf = ({ Metrics = [{ MetricStat: {} }] }: Alarm) => Metrics.filter((metric) => 'MetricStat' in metric);
    expect(alarms.flatMap(metricsOf)).toHaveLength(fixed.alarmMetrics);
  });

  it('are the ones that README.md explains', () => {
    const explained = namesInTableAfter('Dashboard and alarms').flatMap((name) => {
      if (name.startsWith('<function>')) return routes.map((route) => name.replace('<function>', route.name));
      return name.startsWith('<table>') ? tables.map(({ path }) => name.replace('<table>', path)) : [name];
    });
    const created = alarms.map(({ AlarmName }) => AlarmName.replace(`${stackName}-`, ''));
    expect(created.toSorted()).toEqual(explained.toSorted());
  });

  it.each(alarms)('$AlarmName tells the topic when it begins and ends, and is silent without traffic', (alarm) => {
    expect(alarm).toMatchObject({
      AlarmActions: [{ Ref: topic.id }],
      OKActions: [{ Ref: topic.id }],
      TreatMissingData: 'notBreaching',
      AlarmDescription: expect.stringMatching(/README.md, "Operate"\.$/),
    });
  });

  it.each(routes)('watch the function $name, and not another', ({ name }) => {
    const Value = { Ref: theResource('AWS::Lambda::Function', name).id };
    for (const kind of ['errors', 'throttles']) {
      expect(named(`${name}-${kind}`)?.Dimensions).toEqual([{ Name: 'FunctionName', Value }]);
    }
  });

  it.each(tables)('watch reads and writes of $path', ({ id, path }) => {
    const metrics = JSON.stringify(named(`${path}-throttles`)?.Metrics);
    const dimension = JSON.stringify([{ Name: 'TableName', Value: { Ref: id } }]);
    for (const metric of ['ReadThrottleEvents', 'WriteThrottleEvents']) {
      expect(metrics).toContain(`"Metric":{"Dimensions":${dimension},"MetricName":"${metric}"`);
    }
  });

  it('watch both the schedule of the rotation and its function', () => {
    const metrics = JSON.stringify(named('signing-key-rotation')?.Metrics);
    expect(metrics).toContain(theResource('AWS::Events::Rule').id);
    expect(metrics).toContain(theResource('AWS::Lambda::Function', signingKeyRotation.name).id);
  });

  it('count refused logins under the name that the functions count them under', () => {
    const { Environment } = theResource<{ Environment: { Variables: Record<string, unknown> } }>(
      'AWS::Lambda::Function',
      'login',
    ).Properties;
    expect(named('logins-refused')).toMatchObject({
      Namespace: Environment.Variables['POWERTOOLS_METRICS_NAMESPACE'],
      Dimensions: [{ Name: 'service', Value: Environment.Variables['POWERTOOLS_SERVICE_NAME'] }],
    });
  });

  it('reach the topic: CloudWatch, for this account alone, may publish to it and use its key', () => {
    const forAlarms = {
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    const key = theResource('AWS::KMS::Key', 'AlarmTopicEncryption');
    expect(topic.Properties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [key.id, 'Arn'] });
    expect(key.Properties).toMatchObject({
      KeyPolicy: {
        Statement: expect.arrayContaining([
          { ...forAlarms, Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Resource: '*' },
        ]),
      },
    });
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
