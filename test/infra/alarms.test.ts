import { expect, it } from 'vitest';
import { getStackName } from '../../infra/config.ts';
import { routes } from '../../infra/routes.ts';
import { readTableNames } from '../support/guides/readme.ts';
import { everyOption, getVariant, prodOptions, type StackVariant } from '../support/stack/stack-variants.ts';

const alarmType = 'AWS::CloudWatch::Alarm';
const stack = await getVariant({ stage: 'prod', ...everyOption });
const { outputs, findResources, getResource } = stack;
const alarms = findResources<{ AlarmName: string }>(alarmType).map(({ Properties }) => Properties);
const topic = getResource('AWS::SNS::Topic');
const tables = findResources('AWS::DynamoDB::GlobalTable');
const stackName = getStackName('prod');

it('the stack has exactly the alarms that the runbook explains', () => {
  const explained = readTableNames('infra/ops/runbook.md', 'Alarms').flatMap((name) => {
    if (name.startsWith('<function>')) return routes.map((route) => name.replace('<function>', route.name));
    return name.startsWith('<table>') ? tables.map(({ path }) => name.replace('<table>', path)) : [name];
  });
  const created = alarms.map(({ AlarmName }) => AlarmName.replace(`${stackName}-`, ''));
  expect(created.toSorted()).toEqual(explained.toSorted());
});

it('every alarm notifies the topic of its start and end, does not start without traffic, and names the runbook', () => {
  const common = {
    ComparisonOperator: 'GreaterThanThreshold',
    AlarmActions: [{ Ref: topic.id }],
    OKActions: [{ Ref: topic.id }],
    AlarmDescription: 'See infra/ops/runbook.md.',
  };
  expect(alarms).toEqual(alarms.map(() => expect.objectContaining(common)));
  const isIdle = { TreatMissingData: 'notBreaching' };
  const others = alarms.filter(({ AlarmName }) => !AlarmName.endsWith('-signing-key-age'));
  expect(others).toEqual(others.map(() => expect.objectContaining(isIdle)));
});

it('every alarm has the metric, threshold, period and data points of this table', () => {
  const api = `${stackName}, InvoiceApi/DeploymentStage.live`;
  const throttles = tables.map(({ path }) => {
    // DynamoDB measures the global index of the histories separately.
    const dimensions = path === 'Declarations' ? [path, `changes, ${path}`] : [path];
    const metrics = dimensions.flatMap((each) =>
      ['Read', 'Write'].map((kind) => `FILL(Sum of AWS/DynamoDB ${kind}ThrottleEvents in 300 s (${each}), 0)`),
    );
    return [`${path}-throttles`, metrics.join(' + '), '> 10 in 2 of 3'];
  });
  const expected = [
    ['server-errors', `Average of AWS/ApiGateway 5XXError in 60 s (${stackName}, live)`, '> 0.01 in 3 of 5'],
    ['latency', `p99 of AWS/ApiGateway Latency in 300 s (${api})`, '> 3000 in 3 of 3'],
    ...throttles,
    [
      'rate-limiter-unavailable',
      `100 * FILL(Sum of SupplierPortal RateLimiterUnavailable in 300 s (${stackName}), 0) / SampleCount of AWS/ApiGateway Count in 300 s (${api})`,
      '> 1 in 2 of 3',
    ],
    ['logins-rejected', `Sum of SupplierPortal LoginsRejected in 300 s (${stackName})`, '> 300 in 1 of 1'],
    ['accounts-guessed', `Sum of SupplierPortal AccountsLocked in 300 s (${stackName})`, '> 50 in 1 of 1'],
    ...['AccountFailuresInAWindow', 'SourceFailuresInADay', 'ExpiringCredentials'].map((metric, index) => [
      ['account-failures', 'source-failures', 'credentials-expiring'][index],
      `Maximum of SupplierPortal ${metric} in 3600 s (${stackName})`,
      '> 0 in 1 of 24',
    ]),
    [
      'signing-key-age',
      `FILL(Maximum of SupplierPortal SigningKeyAgeDays in 86400 s (${stackName}), 300)`,
      '> 33 in 2 of 2',
    ],
    ['events-late', 'Maximum of AWS/Lambda IteratorAge in 300 s (publish-events)', '> 300000 in 2 of 3'],
    [
      'events-unpublished',
      `FILL(Maximum of AWS/SQS ApproximateNumberOfMessagesVisible in 300 s (UnpublishedEvents.QueueName), 0) + FILL(Sum of SupplierPortal EventsSkipped in 300 s (${stackName}), 0)`,
      '> 0 in 1 of 1',
    ],
    ...routes.flatMap(({ name }) => {
      const latestVersion = `${name}/CurrentVersion.Version, ${name}, ${name}:live`;
      return [
        [`${name}-errors`, `Sum of AWS/Lambda Errors in 60 s (${latestVersion})`, '> 0 in 2 of 5'],
        [`${name}-latency`, `p99 of AWS/Lambda Duration in 60 s (${latestVersion})`, '> 3000 in 3 of 5'],
      ];
    }),
  ];
  expect(toAlarmRows(stack)).toEqual(expected);
});

it('the alarm on the age of the signing key starts without data, and is created after the first data', () => {
  const { Properties, DependsOn } = getResource<object>(alarmType, 'signing-key-age-alarm') as {
    readonly Properties: object;
    readonly DependsOn?: readonly string[];
  };
  expect(Properties).toMatchObject({ TreatMissingData: 'breaching' });
  expect(DependsOn).toContain(getResource('Custom::Trigger').id);
});

it('only CloudWatch of this account can publish to the alarm topic, which is in the outputs and has a subscriber', () => {
  expect(outputs['AlarmTopic']).toMatchObject({ Value: { Ref: topic.id } });
  const statement = {
    ...{ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' },
    Condition: { StringEquals: { 'aws:SourceAccount': prodOptions.account } },
  };
  expect(getResource('AWS::SNS::TopicPolicy').Properties).toMatchObject({
    PolicyDocument: { Statement: [{ Effect: 'Deny' }, statement] },
  });
  const subscription = { Endpoint: everyOption.alarmEmail, Protocol: 'email', TopicArn: { Ref: topic.id } };
  expect(getResource('AWS::SNS::Subscription').Properties).toEqual(subscription);
});

it('the dashboard shows every alarm, and every function with its logs', () => {
  const functions = routes.map(({ name }) => getResource('AWS::Lambda::Function', name));
  const logs = [...routes.map(({ name }) => `${name}-logs`), 'access-logs'];
  const groups = logs.map((path) => getResource('AWS::Logs::LogGroup', path));
  const all = [...findResources(alarmType), ...functions, ...groups];
  const body = JSON.stringify(getResource('AWS::CloudWatch::Dashboard').Properties);
  expect(all.filter(({ id }) => !body.includes(`"${id}"`))).toEqual([]);
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

/** An alarm as a row. The condition contains the threshold, and how many of the last periods must exceed it. */
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
  const formatValue = (value: unknown): string => {
    if (typeof value === 'string') return paths.get(value) ?? value;
    const [name = '', argument] = Object.entries(value as object)[0] ?? [];
    return [argument]
      .flat(2)
      .map(formatValue)
      .join(name === 'Fn::GetAtt' ? '.' : '');
  };
  const formatMetric = (statistic: string, { Namespace, MetricName, Dimensions }: Metric, seconds: number) => {
    const dimensions = Dimensions.map(({ Value }) => formatValue(Value)).join(', ');
    return `${statistic} of ${Namespace} ${MetricName} in ${seconds} s (${dimensions})`;
  };
  return variant.findResources<AlarmProperties>('AWS::CloudWatch::Alarm').map(({ path, Properties: alarm }) => {
    const { Metrics, Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm;
    const metrics = Metrics
      ? Metrics.reduce(
          (text, { Id, MetricStat }) =>
            MetricStat ? text.replace(Id, formatMetric(MetricStat.Stat, MetricStat.Metric, MetricStat.Period)) : text,
          Metrics.find(({ Expression }) => Expression)?.Expression ?? '',
        )
      : formatMetric(alarm.Statistic ?? alarm.ExtendedStatistic ?? '', alarm, alarm.Period);
    return [path.replace(/-alarm$/, ''), metrics, `> ${Threshold} in ${DatapointsToAlarm} of ${EvaluationPeriods}`];
  });
}
