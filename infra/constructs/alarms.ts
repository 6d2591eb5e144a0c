import { Annotations, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { type Deployment, GATEWAY_STAGE, LIVE_ALIAS } from '../config.ts';
import type { MonitoredService } from './dashboard.ts';
import type { EventPublishing } from './event-publishing.ts';
import { createServiceMetric, createSum, createTableMetrics, createThrottleMetric } from './metrics.ts';
import type { SigningKeyRotation } from './service-function.ts';
import type { Tables } from './tables.ts';
import { MAX_KEY_AGE_DAYS } from '../../lib/access/rotate-signing-key.ts';

/** A row of the table of alarms. infra/ops/runbook.md explains when each alarm starts, and what to do. */
interface AlarmRow {
  readonly name: string;
  readonly metric: cloudwatch.IMetric;
  /** The limit of the metric in a period. The default is 0. */
  readonly threshold?: number;
  /** The alarm starts when `above` of the `latest` periods are above the threshold. The default is 2 of 3. */
  readonly periods?: readonly [above: number, latest: number];
  /** The construct that writes the first data of the metric. With it, missing data starts the alarm, too. */
  readonly firstData?: Construct;
}

const { AVERAGE, MAXIMUM } = cloudwatch.Stats;
const P99 = cloudwatch.Stats.p(99);
const ONE_MINUTE = Duration.minutes(1);
const ONE_HOUR = Duration.hours(1);
const ONE_DAY = Duration.days(1);

const NO_SUBSCRIBER =
  'No one is subscribed to the alarm topic. Set alarmEmail in infra/stages.ts, or subscribe to the topic AlarmTopic of the outputs.';

/** Creates all alarms, and returns them by the names of their rows. */
export function createAlarms(
  scope: Construct,
  service: MonitoredService,
  deployment: Deployment,
): ReadonlyMap<string, cloudwatch.Alarm> {
  const { stage, functions, tables, rotation, events } = service;
  const rows = [
    ...listResponseAlarms(stage, deployment),
    ...Object.entries(functions).flatMap(([name, handler]) => listFunctionAlarms(name, handler, deployment)),
    ...listTableAlarms(tables, deployment),
    ...listServiceAlarms(scope, stage),
    ...listKeyAlarms(scope, rotation),
    ...listEventAlarms(scope, events),
  ];
  const action = new SnsAction(createAlarmTopic(scope, deployment));
  return new Map(rows.map((row) => [row.name, createAlarm(scope, row, action)]));
}

function createAlarm(scope: Construct, row: AlarmRow, action: SnsAction): cloudwatch.Alarm {
  const { name, metric, threshold = 0, periods = [2, 3], firstData } = row;
  const [datapointsToAlarm, evaluationPeriods] = periods;
  const alarm = new cloudwatch.Alarm(scope, `${name}-alarm`, {
    alarmName: `${Stack.of(scope).stackName}-${name}`,
    alarmDescription: 'See infra/ops/runbook.md.',
    metric,
    threshold,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
    datapointsToAlarm,
    evaluationPeriods,
    // Without traffic, most metrics have no data.
    treatMissingData: cloudwatch.TreatMissingData[firstData ? 'BREACHING' : 'NOT_BREACHING'],
  });
  if (firstData) alarm.node.addDependency(firstData);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  return alarm;
}

function createAlarmTopic(scope: Construct, { alarmEmail, keepData }: Deployment): Topic {
  // Its own encryption key would cost 1 US$ a month, but the messages contain no data of suppliers.
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
  if (!alarmEmail && keepData) Annotations.of(topic).addWarningV2('supplier-portal:alarmEmail', NO_SUBSCRIBER);
  new CfnOutput(scope, 'AlarmTopic', {
    value: topic.topicArn,
    description: 'The topic to which alarms are sent. Subscribe to it to receive them.',
  });
  return topic;
}

function listResponseAlarms(stage: Stage, { stackName }: Deployment): AlarmRow[] {
  // The metric contains names and no references, because references would be circular. The stage refers to functions,
  // and a canary deployment of a function refers to the alarm `server-errors`.
  const dimensionsMap = { ApiName: stackName, Stage: GATEWAY_STAGE };
  const errorRate = stage.metricServerError({ statistic: AVERAGE, period: ONE_MINUTE, dimensionsMap });
  return [
    { name: 'server-errors', metric: errorRate, threshold: 0.01, periods: [3, 5] },
    { name: 'latency', metric: stage.metricLatency({ statistic: P99 }), threshold: 3000, periods: [3, 3] },
  ];
}

/** Lists the alarms of a function. With canary deployments, they measure only the version about which they decide. */
function listFunctionAlarms(name: string, handler: lambda.Function, { canary }: Deployment): AlarmRow[] {
  const throttles: AlarmRow = { name: `${name}-throttles`, metric: handler.metricThrottles() };
  if (!canary) return [{ name: `${name}-errors`, metric: handler.metricErrors() }, throttles];
  const { functionName, currentVersion } = handler;
  const dimensionsMap = {
    FunctionName: functionName,
    Resource: `${functionName}:${LIVE_ALIAS}`,
    ExecutedVersion: currentVersion.version,
  };
  const errors = handler.metricErrors({ period: ONE_MINUTE, dimensionsMap });
  const latency = handler.metricDuration({ statistic: P99, period: ONE_MINUTE, dimensionsMap });
  return [
    { name: `${name}-errors`, metric: errors, periods: [2, 5] },
    { name: `${name}-latency`, metric: latency, threshold: 3000, periods: [3, 5] },
    throttles,
  ];
}

function listTableAlarms(tables: Tables, { writeUnitsPerHour }: Deployment): AlarmRow[] {
  const rows: AlarmRow[] = [];
  const writeUnits: Record<string, cloudwatch.IMetric> = {};
  for (const [name, table] of Object.entries(tables)) {
    rows.push({ name: `${name}-throttles`, metric: createThrottleMetric(table, name), threshold: 10 });
    const units = { id: 'units', metricName: 'ConsumedWriteCapacityUnits', period: ONE_HOUR };
    Object.assign(writeUnits, createTableMetrics(table, name, units));
  }
  const allUnits = createSum(writeUnits, 'write units', ONE_HOUR);
  return [...rows, { name: 'write-units', metric: allUnits, threshold: writeUnitsPerHour, periods: [1, 1] }];
}

function listServiceAlarms(scope: Construct, stage: Stage): AlarmRow[] {
  const createHourlyMaximum = (name: string) =>
    createServiceMetric(scope, name, { statistic: MAXIMUM, period: ONE_HOUR });
  const uncountedPercent = new cloudwatch.MathExpression({
    expression: '100 * FILL(uncounted, 0) / requests',
    usingMetrics: {
      uncounted: createServiceMetric(scope, 'RateLimiterUnavailable'),
      requests: stage.metricCount(),
    },
  });
  return [
    { name: 'rate-limiter-unavailable', metric: uncountedPercent, threshold: 1 },
    { name: 'logins-rejected', metric: createServiceMetric(scope, 'LoginsRejected'), threshold: 300, periods: [1, 1] },
    { name: 'accounts-guessed', metric: createServiceMetric(scope, 'AccountsLocked'), threshold: 50, periods: [1, 1] },
    // The next metrics have only values that are reported. With 1 of 24 hours, an alarm notifies once a day.
    { name: 'account-failures', metric: createHourlyMaximum('AccountFailuresInAWindow'), periods: [1, 24] },
    { name: 'source-failures', metric: createHourlyMaximum('SourceFailuresInADay'), periods: [1, 24] },
    { name: 'credentials-expiring', metric: createHourlyMaximum('ExpiringCredentials'), periods: [1, 24] },
  ];
}

/** Lists the alarms of the signing key. Its age is reported every day, because an alarm can look back at most 7 days. */
function listKeyAlarms(scope: Construct, { schedule, handler, firstRun }: SigningKeyRotation): AlarmRow[] {
  const notInvoked = new cloudwatch.Metric({
    namespace: 'AWS/Events',
    metricName: 'FailedInvocations',
    dimensionsMap: { RuleName: schedule.ruleName },
    statistic: cloudwatch.Stats.SUM,
  });
  const failedRotations = createSum({ failed: handler.metricErrors(), notInvoked }, 'failed');
  // CloudWatch would ignore missing data for more days than the alarm evaluates. Therefore FILL replaces it.
  const ageDays = new cloudwatch.MathExpression({
    expression: `FILL(age, ${MAX_KEY_AGE_DAYS * 10})`,
    usingMetrics: { age: createServiceMetric(scope, 'SigningKeyAgeDays', { statistic: MAXIMUM, period: ONE_DAY }) },
    period: ONE_DAY,
    label: 'days',
  });
  const maxAgeDays = MAX_KEY_AGE_DAYS + 3;
  return [
    { name: 'signing-key-rotation', metric: failedRotations, periods: [1, 1] },
    { name: 'signing-key-age', metric: ageDays, threshold: maxAgeDays, periods: [2, 2], firstData: firstRun },
  ];
}

function listEventAlarms(scope: Construct, events: EventPublishing | undefined): AlarmRow[] {
  if (events === undefined) return [];
  const { handler, deadLetters } = events;
  // Events are usually published within two seconds. The stream keeps a record for a day.
  const delayMs = handler.metric('IteratorAge', { statistic: MAXIMUM });
  const queued = deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: MAXIMUM });
  const skipped = createServiceMetric(scope, 'EventsSkipped');
  return [
    { name: 'events-late', metric: delayMs, threshold: 300_000 },
    { name: 'events-unpublished', metric: createSum({ queued, skipped }, 'unpublished'), periods: [1, 1] },
  ];
}
