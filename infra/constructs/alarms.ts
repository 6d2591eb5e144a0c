import { Annotations, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Deployment } from '../options.ts';
import type { EventPublishing } from './event-publishing.ts';
import {
  GATEWAY_STAGE,
  hour,
  minute,
  ofLatestVersion,
  period,
  serviceMetric,
  sum,
  throttleEvents,
  writeUnitsPerHour,
} from './service-metrics.ts';
import type { WatchedService } from './service-metrics.ts';

/** A condition that needs attention; infra/ops/README.md explains each one, and what to do. */
interface Condition {
  readonly name: string;
  readonly metric: IMetric;
  readonly says: string;
  /** The alarm starts above this value (default: 0)... */
  readonly threshold?: number;
  /** ...in so many of so many periods of its metric (2 of 3). */
  readonly periods?: readonly [above: number, of: number];
}

// Events are usually published within two seconds; the stream keeps a record for a day.
const LATE_MS = 300_000;

const mostInAnHour = { statistic: Stats.MAXIMUM, over: hour };

const NOBODY_HEARS =
  'Nobody hears of alarms. Give -c alarmEmail=<address>, or subscribe somebody to the topic AlarmTopic of the outputs.';

/**
 * Creates the topic that alarms of this account may publish to, with the e-mail address that the deployment
 * names. A stage that keeps its data warns when it names none.
 */
export function createAlarmTopic(scope: Construct, { alarmEmail, keepData }: Deployment): Topic {
  // Without its own key, which costs 1 US$ a month: a message contains the name of an alarm, and no data of suppliers.
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
  else if (keepData) Annotations.of(topic).addWarningV2('supplier-portal:alarmEmail', NOBODY_HEARS);
  return topic;
}

/** Creates an alarm for every condition, by its name, which notifies the topic when it starts and ends. */
export function createAlarms(
  scope: Construct,
  service: WatchedService,
  topic: Topic,
  deployment: Deployment,
): ReadonlyMap<string, Alarm> {
  const action = new SnsAction(topic);
  const alarms = conditions(scope, service, deployment).map((condition) => {
    const { name, metric, says, threshold = 0, periods: [above, of] = [2, 3] } = condition;
    const alarm = new Alarm(scope, `${name}-alarm`, {
      alarmName: `${Stack.of(scope).stackName}-${name}`,
      alarmDescription: `${says} See infra/ops/README.md, "Dashboard and alarms".`,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: above,
      evaluationPeriods: of,
      // Without traffic there are no data, and no error.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return [name, alarm] as const;
  });
  return new Map(alarms);
}

function conditions(scope: Construct, service: WatchedService, deployment: Deployment): Condition[] {
  const { stage, functions, tables, rotation, events } = service;
  // By names, because references would be circular: from the stage to its functions, and from these to their alarms.
  const dimensionsMap = { ApiName: deployment.stackName, Stage: GATEWAY_STAGE };
  return [
    {
      name: 'server-errors',
      metric: stage.metricServerError({ statistic: Stats.AVERAGE, period: minute, dimensionsMap }),
      threshold: 0.01,
      periods: [3, 5],
      says: 'More than 1 % of the answers are 5xx.',
    },
    {
      name: 'latency',
      metric: stage.metricLatency({ statistic: Stats.p(99), period }),
      threshold: 3000,
      periods: [3, 3],
      says: 'One request in a hundred takes longer than 3 s.',
    },
    ...Object.entries(functions).flatMap(([name, handler]): Condition[] => [
      {
        name: `${name}-errors`,
        ...(deployment.canary
          ? {
              metric: handler.metricErrors({ period: minute, dimensionsMap: ofLatestVersion(handler) }),
              periods: [2, 5],
            }
          : { metric: handler.metricErrors({ period }) }),
        says: 'The function crashes, or does not end in time: whatever else fails it answers itself.',
      },
      ...(deployment.canary ? [latencyCondition(name, handler)] : []),
      {
        name: `${name}-throttles`,
        metric: handler.metricThrottles({ period }),
        says: 'Lambda refuses to run the function: the concurrency of the account, or what is reserved for it, is used up.',
      },
    ]),
    ...Object.entries(tables).map(([name, table]) => ({
      name: `${name}-throttles`,
      metric: throttleEvents(table, name),
      threshold: 10,
      says: 'DynamoDB refuses reads or writes of the table: one partition gets more than it can take.',
    })),
    {
      name: 'write-units',
      metric: writeUnitsPerHour(tables),
      threshold: deployment.writeUnitsPerHour,
      periods: [1, 1],
      says: 'The tables were written more in an hour than is expected: somebody pays for it.',
    },
    {
      name: 'rate-limiter-unavailable',
      metric: shareOfRequests(service, serviceMetric(scope, 'RateLimiterUnavailable')),
      threshold: 1,
      says: 'More than 1 % of the requests are let through uncounted.',
    },
    {
      name: 'logins-refused',
      metric: serviceMetric(scope, 'LoginsRefused'),
      threshold: 300,
      periods: [1, 1],
      says: 'More than 300 logins were refused in 5 minutes.',
    },
    {
      name: 'accounts-guessed',
      metric: serviceMetric(scope, 'AccountsLocked'),
      threshold: 50,
      periods: [1, 1],
      says: 'More than 50 logins in 5 minutes were rejected because their account is locked for untrusted addresses.',
    },
    // The alarm starts once, and ends 24 hours after the last failure above the limit.
    {
      name: 'account-failures',
      metric: serviceMetric(scope, 'AccountFailuresInAWindow', mostInAnHour),
      periods: [1, 24],
      says: 'An account had 50 wrong passwords or more from untrusted addresses in 4 hours.',
    },
    {
      name: 'source-failures',
      metric: serviceMetric(scope, 'SourceFailuresInADay', mostInAnHour),
      periods: [1, 24],
      says: 'An address had 100 failed attempts to log in or more in a day.',
    },
    {
      name: 'signing-key-rotation',
      metric: sum({ failed: rotation.handler.metricErrors({ period }), notRun: failedInvocations(rotation) }, 'failed'),
      periods: [1, 1],
      says: 'The signing key was not replaced; the one in use stays valid.',
    },
    ...(events ? eventConditions(scope, events) : []),
  ];
}

function latencyCondition(name: string, handler: Function): Condition {
  const dimensionsMap = ofLatestVersion(handler);
  return {
    name: `${name}-latency`,
    metric: handler.metricDuration({ statistic: Stats.p(99), period: minute, dimensionsMap }),
    threshold: 3000,
    periods: [3, 5],
    says: 'The version of the function that was deployed last takes longer than 3 s for one request in a hundred.',
  };
}

function eventConditions(scope: Construct, { handler, deadLetters }: EventPublishing): Condition[] {
  const queued = deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period });
  return [
    {
      name: 'events-late',
      metric: handler.metric('IteratorAge', { statistic: Stats.MAXIMUM, period }),
      threshold: LATE_MS,
      says: 'Events are published more than 5 minutes after what they tell of.',
    },
    {
      name: 'events-unpublished',
      metric: sum({ queued, skipped: serviceMetric(scope, 'EventsSkipped') }, 'unpublished'),
      periods: [1, 1],
      says: 'Events were not published: the queue or the log of the function names their records.',
    },
  ];
}

/** Returns a metric as a percentage of the requests at the gateway. */
function shareOfRequests({ stage }: WatchedService, part: IMetric): IMetric {
  return new MathExpression({
    expression: '100 * FILL(part, 0) / requests',
    usingMetrics: { part, requests: stage.metricCount({ period }) },
    period,
  });
}

function failedInvocations({ schedule }: WatchedService['rotation']): IMetric {
  return new Metric({
    namespace: 'AWS/Events',
    metricName: 'FailedInvocations',
    dimensionsMap: { RuleName: schedule.ruleName },
    statistic: Stats.SUM,
  });
}
