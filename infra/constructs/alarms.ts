import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
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

/** A condition that wants somebody's attention: infra/ops/README.md says why, and what to do. */
interface Condition {
  readonly name: string;
  readonly metric: IMetric;
  readonly says: string;
  /** It holds above this (0)... */
  readonly threshold?: number;
  /** ...in so many of so many periods of its metric (2 of 3). */
  readonly periods?: readonly [above: number, of: number];
}

// Events follow within a second or two; the stream keeps a record for a day.
const LATE_MS = 300_000;

const mostInAnHour = { statistic: Stats.MAXIMUM, over: hour };

/** Creates an alarm for every condition, by its name; the topic hears of its beginning and of its end. */
export function createAlarms(
  scope: Construct,
  service: WatchedService,
  topic: ITopic,
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
      // Without traffic there is nothing to measure, and nothing wrong.
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
  // By names: by reference the stage would wait for its functions, and these for the alarm that decides about them.
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
    ...(events ? eventConditions(events) : []),
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

function eventConditions({ handler, deadLetters }: EventPublishing): Condition[] {
  return [
    {
      name: 'events-late',
      metric: handler.metric('IteratorAge', { statistic: Stats.MAXIMUM, period }),
      threshold: LATE_MS,
      says: 'Events are published more than 5 minutes after what they tell of.',
    },
    {
      name: 'events-unpublished',
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period }),
      periods: [1, 1],
      says: 'Events were given up: the queue of the unpublished ones names their records.',
    },
  ];
}

/** Per cent of what the gateway received. */
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
