import { describe, expect, it } from 'vitest';
import { getStackName } from '../../infra/config.ts';
import { routes } from '../../infra/routes.ts';
import { REPORTED_FAILURES } from '../../lib/access/policies.ts';
import { namesInTableOf } from '../support/guides/readme.ts';
import { everyOption, type StackVariant, variantOf } from '../support/stack/stack-variants.ts';

interface DashboardProperties {
  readonly DashboardName: string;
  readonly DashboardBody: { readonly 'Fn::Join': readonly ['', readonly (string | object)[]] };
}

const alarmType = 'AWS::CloudWatch::Alarm';
const stack = await variantOf({ stage: 'prod', ...everyOption });
const { outputs, resourcesOfType, theResource } = stack;
const alarms = resourcesOfType<{ AlarmName: string }>(alarmType).map(({ Properties }) => Properties);
const topic = theResource('AWS::SNS::Topic');
const tables = resourcesOfType('AWS::DynamoDB::Table');
const stackName = getStackName('prod');
const descriptionOf = (name: string) =>
  theResource<{ AlarmDescription: string }>(alarmType, `${name}-alarm`).Properties.AlarmDescription;

describe('alarms', () => {
  it('are the ones that the runbook explains', () => {
    const explained = namesInTableOf('infra/ops/runbook.md', 'Alarms').flatMap((name) => {
      if (name.startsWith('<function>')) return routes.map((route) => name.replace('<function>', route.name));
      return name.startsWith('<table>') ? tables.map(({ path }) => name.replace('<table>', path)) : [name];
    });
    const created = alarms.map(({ AlarmName }) => AlarmName.replace(`${stackName}-`, ''));
    expect(created.toSorted()).toEqual(explained.toSorted());
  });

  it('every alarm compares with "greater than", notifies the topic of its start and end, does not start without traffic, and names the guide', () => {
    const common = {
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
      AlarmActions: [{ Ref: topic.id }],
      OKActions: [{ Ref: topic.id }],
      AlarmDescription: expect.stringMatching(/^[A-Z].+\. See infra\/ops\/runbook\.md\.$/),
    };
    expect(alarms).toEqual(alarms.map(() => expect.objectContaining(common)));
  });

  it('every alarm has the metric, threshold, period and data points of this table', () => {
    const api = `${stackName}, InvoiceApi/DeploymentStage.live`;
    const units = tables.map(
      ({ path }) => `FILL(Sum of AWS/DynamoDB ConsumedWriteCapacityUnits in 3600 s (${path}), 0)`,
    );
    const expected = [
      ['server-errors', `Average of AWS/ApiGateway 5XXError in 60 s (${stackName}, live)`, '> 0.01 in 3 of 5'],
      ['latency', `p99 of AWS/ApiGateway Latency in 300 s (${api})`, '> 3000 in 3 of 3'],
      ...routes.flatMap(({ name }) => {
        const latestVersion = `${name}/CurrentVersion.Version, ${name}, ${name}:live`;
        return [
          [`${name}-errors`, `Sum of AWS/Lambda Errors in 60 s (${latestVersion})`, '> 0 in 2 of 5'],
          [`${name}-latency`, `p99 of AWS/Lambda Duration in 60 s (${latestVersion})`, '> 3000 in 3 of 5'],
          [`${name}-throttles`, `Sum of AWS/Lambda Throttles in 300 s (${name})`, '> 0 in 2 of 3'],
        ];
      }),
      ...tables.map(({ path }) => {
        const [reads, writes] = ['Read', 'Write'].map(
          (kind) => `FILL(Sum of AWS/DynamoDB ${kind}ThrottleEvents in 300 s (${path}), 0)`,
        );
        return [`${path}-throttles`, `${reads} + ${writes}`, '> 10 in 2 of 3'];
      }),
      ['write-units', units.join(' + '), '> 2000000 in 1 of 1'],
      [
        'rate-limiter-unavailable',
        `100 * FILL(Sum of SupplierPortal RateLimiterUnavailable in 300 s (${stackName}), 0) / SampleCount of AWS/ApiGateway Count in 300 s (${api})`,
        '> 1 in 2 of 3',
      ],
      ['logins-refused', `Sum of SupplierPortal LoginsRefused in 300 s (${stackName})`, '> 300 in 1 of 1'],
      ['accounts-guessed', `Sum of SupplierPortal AccountsLocked in 300 s (${stackName})`, '> 50 in 1 of 1'],
      ...['AccountFailuresInAWindow', 'SourceFailuresInADay'].map((metric, index) => [
        ['account-failures', 'source-failures'][index],
        `Maximum of SupplierPortal ${metric} in 3600 s (${stackName})`,
        '> 0 in 1 of 24',
      ]),
      [
        'signing-key-rotation',
        'FILL(Sum of AWS/Lambda Errors in 300 s (rotate-signing-key), 0) + FILL(Sum of AWS/Events FailedInvocations in 300 s (RotateSigningKey), 0)',
        '> 0 in 1 of 1',
      ],
      ['events-late', 'Maximum of AWS/Lambda IteratorAge in 300 s (publish-events)', '> 300000 in 2 of 3'],
      [
        'events-unpublished',
        `FILL(Maximum of AWS/SQS ApproximateNumberOfMessagesVisible in 300 s (UnpublishedEvents.QueueName), 0) + FILL(Sum of SupplierPortal EventsSkipped in 300 s (${stackName}), 0)`,
        '> 0 in 1 of 1',
      ],
    ];
    expect(toAlarmRows(stack)).toEqual(expected);
  });

  it('the alarms for errors watch all versions of a function where new versions are not deployed gradually', async () => {
    const rows = toAlarmRows(await variantOf({ stage: 'dev', ...everyOption, architecture: 'x86_64' })).filter(
      ([name]) => name.endsWith('-errors'),
    );
    expect(rows.slice(1)).toEqual(
      routes.map(({ name }) => [`${name}-errors`, `Sum of AWS/Lambda Errors in 300 s (${name})`, '> 0 in 2 of 3']),
    );
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

  it.each(['account', 'source'] as const)(
    'the alarm %s-failures names in its description the number of failures from which it starts',
    (kind) => {
      expect(descriptionOf(`${kind}-failures`)).toContain(` ${REPORTED_FAILURES[kind]} `);
    },
  );
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
    ...['AccountsLocked', 'RateLimiterUnavailable', 'count(*) as errors by code, endpoint', 'count(@initDuration)'],
  ])('shows what the functions count and log: %s', (name) => {
    expect(body).toContain(name);
  });
});

interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Value: unknown }[];
}

interface AlarmProperties extends Metric {
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Period: number;
  /** Present instead of a single metric: an expression and the metrics that it names. */
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: Metric; readonly Stat: string; readonly Period: number };
  }[];
  readonly Threshold: number;
  readonly DatapointsToAlarm: number;
  readonly EvaluationPeriods: number;
}

/** The name of an alarm, its metrics with their dimensions, and the threshold for how many of how many periods. */
type AlarmRow = readonly [name: string, metrics: string, condition: string];

/**
 * Converts the alarms of a template to rows that a test can list.
 *
 * @example
 * ['login-throttles', 'Sum of AWS/Lambda Throttles in 300 s (login)', '> 0 in 2 of 3'];
 */
function toAlarmRows(variant: StackVariant): AlarmRow[] {
  const paths = new Map(variant.resources.map(({ id, path }) => [id, path]));
  // Resolves references to construct paths: { Ref: 'login68DC89FC' } to "login".
  const valueText = (value: unknown): string => {
    if (typeof value === 'string') return paths.get(value) ?? value;
    const [name = '', argument] = Object.entries(value as object)[0] ?? [];
    return [argument]
      .flat(2)
      .map(valueText)
      .join(name === 'Fn::GetAtt' ? '.' : '');
  };
  const metricText = (statistic: string, { Namespace, MetricName, Dimensions }: Metric, seconds: number) => {
    const dimensions = Dimensions.map(({ Value }) => valueText(Value)).join(', ');
    return `${statistic} of ${Namespace} ${MetricName} in ${seconds} s (${dimensions})`;
  };
  return variant.resourcesOfType<AlarmProperties>('AWS::CloudWatch::Alarm').map(({ path, Properties: alarm }) => {
    const { Metrics, Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm;
    const metrics = Metrics
      ? Metrics.reduce(
          (text, { Id, MetricStat }) =>
            MetricStat ? text.replace(Id, metricText(MetricStat.Stat, MetricStat.Metric, MetricStat.Period)) : text,
          Metrics.find(({ Expression }) => Expression)?.Expression ?? '',
        )
      : metricText(alarm.Statistic ?? alarm.ExtendedStatistic ?? '', alarm, alarm.Period);
    return [path.replace(/-alarm$/, ''), metrics, `> ${Threshold} in ${DatapointsToAlarm} of ${EvaluationPeriods}`];
  });
}
