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

/** A condition with an alarm. infra/ops/runbook.md explains what to do when the alarm starts. */
interface Condition {
  readonly name: string;
  readonly metric: cloudwatch.IMetric;
  readonly description: string;
  /** The limit of the metric in a period; by default, 0. */
  readonly threshold?: number;
  /** The alarm starts when `above` of the `latest` periods are above the threshold; by default, 2 of 3. */
  readonly periods?: readonly [above: number, latest: number];
  /** True if missing data starts the alarm, too. By default, missing data is not an error. */
  readonly isDataRequired?: boolean;
  /** The construct that writes the first data of the metric. */
  readonly after?: Construct;
}

const ONE_MINUTE = Duration.minutes(1);
const ONE_HOUR = Duration.hours(1);
const ONE_DAY = Duration.days(1);

const NO_SUBSCRIBER =
  'No one is subscribed to the alarm topic. Set alarmEmail in infra/stages.ts, or subscribe to the topic AlarmTopic of the outputs.';

/** Creates the topic to which only alarms of this account can publish. */
function createAlarmTopic(scope: Construct, { alarmEmail, keepData }: Deployment): Topic {
  // A message contains the name of an alarm, and no data of suppliers. Therefore the topic has no encryption key of its
  // own, which would cost 1 US$ a month.
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

/** Creates an alarm for every condition, and returns the alarms by the names of their conditions. */
export function createAlarms(
  scope: Construct,
  service: MonitoredService,
  deployment: Deployment,
): ReadonlyMap<string, cloudwatch.Alarm> {
  const action = new SnsAction(createAlarmTopic(scope, deployment));
  const alarms = new Map<string, cloudwatch.Alarm>();
  for (const condition of listConditions(scope, service, deployment)) {
    const { name, metric, description, threshold = 0, periods = [2, 3], isDataRequired, after } = condition;
    const [datapointsToAlarm, evaluationPeriods] = periods;
    const alarm = new cloudwatch.Alarm(scope, `${name}-alarm`, {
      alarmName: `${Stack.of(scope).stackName}-${name}`,
      alarmDescription: `${description} See infra/ops/runbook.md.`,
      metric,
      threshold,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm,
      evaluationPeriods,
      // Without traffic, most metrics have no data.
      treatMissingData: cloudwatch.TreatMissingData[isDataRequired ? 'BREACHING' : 'NOT_BREACHING'],
    });
    if (after) alarm.node.addDependency(after);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    alarms.set(name, alarm);
  }
  return alarms;
}

function listConditions(scope: Construct, service: MonitoredService, deployment: Deployment): Condition[] {
  const { stage, functions, tables, rotation, events } = service;
  return [
    ...listResponseConditions(stage, deployment),
    ...Object.entries(functions).flatMap(([name, handler]) => listFunctionConditions(name, handler, deployment)),
    ...listTableConditions(tables, deployment),
    ...listServiceConditions(scope, stage),
    ...listKeyConditions(scope, rotation),
    ...(events ? listEventConditions(scope, events) : []),
  ];
}

function listResponseConditions(stage: Stage, { stackName }: Deployment): Condition[] {
  // The metric contains names and no references, because references would be circular. The stage refers to functions,
  // and a canary deployment of a function refers to the alarm `server-errors`.
  const dimensionsMap = { ApiName: stackName, Stage: GATEWAY_STAGE };
  return [
    {
      name: 'server-errors',
      metric: stage.metricServerError({ statistic: cloudwatch.Stats.AVERAGE, period: ONE_MINUTE, dimensionsMap }),
      threshold: 0.01,
      periods: [3, 5],
      description: 'More than 1 % of the responses are 5xx.',
    },
    {
      name: 'latency',
      metric: stage.metricLatency({ statistic: cloudwatch.Stats.p(99) }),
      threshold: 3000,
      periods: [3, 3],
      description: 'One request in a hundred takes longer than 3 s.',
    },
  ];
}

function listTableConditions(tables: Tables, { writeUnitsPerHour }: Deployment): Condition[] {
  const conditions: Condition[] = [];
  const writeUnits: Record<string, cloudwatch.IMetric> = {};
  for (const [name, table] of Object.entries(tables)) {
    conditions.push({
      name: `${name}-throttles`,
      metric: createThrottleMetric(table, name),
      threshold: 10,
      description: 'DynamoDB throttles reads or writes of the table: one partition exceeds its limit.',
    });
    const units = { id: 'units', metricName: 'ConsumedWriteCapacityUnits', period: ONE_HOUR };
    Object.assign(writeUnits, createTableMetrics(table, name, units));
  }
  conditions.push({
    name: 'write-units',
    metric: createSum(writeUnits, 'write units', ONE_HOUR),
    threshold: writeUnitsPerHour,
    periods: [1, 1],
    description: 'The tables used more write units in an hour than expected, which costs money.',
  });
  return conditions;
}

/** Lists the conditions of metrics that the functions write. */
function listServiceConditions(scope: Construct, stage: Stage): Condition[] {
  const uncounted = createServiceMetric(scope, 'RateLimiterUnavailable');
  const usingMetrics = { uncounted, requests: stage.metricCount() };
  const maximumInAnHour = { statistic: cloudwatch.Stats.MAXIMUM, period: ONE_HOUR };
  return [
    {
      name: 'rate-limiter-unavailable',
      metric: new cloudwatch.MathExpression({ expression: '100 * FILL(uncounted, 0) / requests', usingMetrics }),
      threshold: 1,
      description: 'More than 1 % of the requests were allowed without being counted by the rate limit.',
    },
    {
      name: 'logins-rejected',
      metric: createServiceMetric(scope, 'LoginsRejected'),
      threshold: 300,
      periods: [1, 1],
      description: 'More than 300 logins were rejected in 5 minutes.',
    },
    {
      name: 'accounts-guessed',
      metric: createServiceMetric(scope, 'AccountsLocked'),
      threshold: 50,
      periods: [1, 1],
      description: 'More than 50 logins in 5 minutes were rejected because their account is locked for their address.',
    },
    // The functions write the next metrics only for values that are reported. With 1 of 24 hours, the alarm lasts a day
    // after the latest value, and notifies only once.
    {
      name: 'account-failures',
      metric: createServiceMetric(scope, 'AccountFailuresInAWindow', maximumInAnHour),
      periods: [1, 24],
      description: 'An account had 50 or more wrong passwords from untrusted addresses in 4 hours.',
    },
    {
      name: 'source-failures',
      metric: createServiceMetric(scope, 'SourceFailuresInADay', maximumInAnHour),
      periods: [1, 24],
      description: 'An address had 100 or more failed logins in a day.',
    },
    {
      name: 'credentials-expiring',
      metric: createServiceMetric(scope, 'ExpiringCredentials', maximumInAnHour),
      periods: [1, 24],
      description: 'An API key or a user that expires within 14 days is in use.',
    },
  ];
}

/** Lists the conditions of the signing key. Its age is reported every day: an alarm can look back at most 7 days. */
function listKeyConditions(scope: Construct, { schedule, handler, firstRun }: SigningKeyRotation): Condition[] {
  const notInvoked = new cloudwatch.Metric({
    namespace: 'AWS/Events',
    metricName: 'FailedInvocations',
    dimensionsMap: { RuleName: schedule.ruleName },
    statistic: cloudwatch.Stats.SUM,
  });
  const age = createServiceMetric(scope, 'SigningKeyAgeDays', { statistic: cloudwatch.Stats.MAXIMUM, period: ONE_DAY });
  return [
    {
      name: 'signing-key-rotation',
      metric: createSum({ failed: handler.metricErrors(), notInvoked }, 'failed'),
      periods: [1, 1],
      description: 'The signing key was not replaced; the one in use stays valid.',
    },
    {
      name: 'signing-key-age',
      // CloudWatch would ignore missing data for more days than the alarm evaluates. Therefore FILL replaces it.
      metric: new cloudwatch.MathExpression({
        expression: `FILL(age, ${MAX_KEY_AGE_DAYS * 10})`,
        usingMetrics: { age },
        period: ONE_DAY,
        label: 'days',
      }),
      threshold: MAX_KEY_AGE_DAYS + 3,
      periods: [2, 2],
      isDataRequired: true,
      after: firstRun,
      description: `The signing key was older than ${MAX_KEY_AGE_DAYS + 3} days on 2 days, or its rotation has not run for 2 days.`,
    },
  ];
}

/**
 * Lists the conditions of a function. With canary deployments, the alarms for errors and latency decide whether a new
 * version stays. Therefore they measure only the latest version, every minute.
 */
function listFunctionConditions(name: string, handler: lambda.Function, { canary }: Deployment): Condition[] {
  const { functionName } = handler;
  const errors = {
    name: `${name}-errors`,
    metric: handler.metricErrors(),
    description: 'The function crashed or timed out. Handled errors are not counted.',
  };
  const throttles = {
    name: `${name}-throttles`,
    metric: handler.metricThrottles(),
    description: 'Lambda throttles the function: the concurrency of the account or of the function is used up.',
  };
  if (!canary) return [errors, throttles];
  const dimensionsMap = {
    FunctionName: functionName,
    Resource: `${functionName}:${LIVE_ALIAS}`,
    ExecutedVersion: handler.currentVersion.version,
  };
  return [
    { ...errors, metric: handler.metricErrors({ period: ONE_MINUTE, dimensionsMap }), periods: [2, 5] },
    {
      name: `${name}-latency`,
      metric: handler.metricDuration({ statistic: cloudwatch.Stats.p(99), period: ONE_MINUTE, dimensionsMap }),
      threshold: 3000,
      periods: [3, 5],
      description: 'One request in a hundred takes longer than 3 s with the latest version of the function.',
    },
    throttles,
  ];
}

function listEventConditions(scope: Construct, { handler, deadLetters }: EventPublishing): Condition[] {
  const queued = deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: cloudwatch.Stats.MAXIMUM });
  return [
    {
      name: 'events-late',
      // Events are usually published within two seconds. The stream keeps a record for a day.
      metric: handler.metric('IteratorAge', { statistic: cloudwatch.Stats.MAXIMUM }),
      threshold: 300_000,
      description: 'Events are published more than 5 minutes after the change.',
    },
    {
      name: 'events-unpublished',
      metric: createSum({ queued, skipped: createServiceMetric(scope, 'EventsSkipped') }, 'unpublished'),
      periods: [1, 1],
      description: 'Events were not published. The queue or the log of the function contains their records.',
    },
  ];
}
