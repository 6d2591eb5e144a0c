import { Duration, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { GATEWAY_STAGE } from '../config.ts';
import { TABLE_PARTS, type TableName } from '../routes.ts';
import { type AlarmDefinition, createAlarm } from './create-alarm.ts';
import type { EventPublishing } from './event-publishing.ts';
import { createServiceMetric } from './metrics.ts';
import type { SigningKeyRotation } from './service-function.ts';
import type { Tables } from './tables.ts';
import { MAX_KEY_AGE_DAYS } from '../../lib/access/rotate-signing-key.ts';

/** The parts of the stack that alarms measure. */
interface MonitoredParts {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly rotation: SigningKeyRotation;
  readonly events: EventPublishing | undefined;
}

const { MAXIMUM, SUM } = Stats;
const ONE_DAY = Duration.days(1);
/** An alarm starts as soon as one period is above its threshold. Without `periods`, 2 of 3 periods are needed. */
const ONE_PERIOD = { above: 1, latest: 1 };
const INDEXED_TABLE: TableName = 'Declarations';
const GLOBAL_INDEX = TABLE_PARTS['Declarations/changes'].index;

/** Creates all alarms except those of canary-deployments.ts, which also rolls back on the alarm `serverErrors`. */
export function createAlarms(scope: Construct, { stage, tables, rotation, events }: MonitoredParts, topic: Topic) {
  const latencyMs = stage.metricLatency({ statistic: Stats.p(99) });
  const definitions = [
    { name: 'latency', metric: latencyMs, threshold: 3000, periods: { above: 3, latest: 3 } },
    ...listTableAlarms(tables),
    ...listServiceAlarms(scope, stage),
    defineKeyAgeAlarm(scope, rotation),
    ...(events === undefined ? [] : listEventAlarms(scope, events)),
  ];
  return {
    serverErrors: createAlarm(scope, defineServerErrorsAlarm(scope, stage), topic),
    otherAlarms: definitions.map((definition) => createAlarm(scope, definition, topic)),
  };
}

/** Defines the alarm on the rate of 5xx responses: more than 1 % of the requests of a minute. */
function defineServerErrorsAlarm(scope: Construct, stage: Stage): AlarmDefinition {
  // The dimensions are names, not references to the API and its stage. References would be circular: the stage refers to
  // functions, and a canary deployment of a function refers to this alarm.
  const dimensionsMap = { ApiName: Stack.of(scope).stackName, Stage: GATEWAY_STAGE };
  const errorRate = stage.metricServerError({ statistic: Stats.AVERAGE, period: Duration.minutes(1), dimensionsMap });
  return { name: 'server-errors', metric: errorRate, threshold: 0.01, periods: { above: 3, latest: 5 } };
}

/** Lists an alarm for each table on its throttled reads and writes. */
function listTableAlarms(tables: Tables): AlarmDefinition[] {
  return Object.entries(tables).map(([name, table]) => {
    const throttles: Record<string, IMetric> = {
      reads: table.metric('ReadThrottleEvents', { statistic: SUM }),
      writes: table.metric('WriteThrottleEvents', { statistic: SUM }),
    };
    // DynamoDB counts the requests to a global index separately from those to its table.
    if (name === INDEXED_TABLE) {
      const dimensionsMap = { TableName: table.tableName, GlobalSecondaryIndexName: GLOBAL_INDEX };
      throttles.indexReads = table.metric('ReadThrottleEvents', { statistic: SUM, dimensionsMap });
      throttles.indexWrites = table.metric('WriteThrottleEvents', { statistic: SUM, dimensionsMap });
    }
    return { name: `${name}-throttles`, metric: createSum(throttles), threshold: 10 };
  });
}

function listServiceAlarms(scope: Construct, stage: Stage): AlarmDefinition[] {
  const hourlyMaximum = { statistic: MAXIMUM, period: Duration.hours(1) };
  const createHourlyMaximum = (name: string) => createServiceMetric(scope, name, hourlyMaximum);
  const uncounted = createServiceMetric(scope, 'RateLimiterUnavailable');
  const uncountedPercent = new MathExpression({
    expression: '100 * FILL(uncounted, 0) / requests',
    usingMetrics: { uncounted, requests: stage.metricCount() },
  });
  const rejectedLogins = createServiceMetric(scope, 'LoginsRejected');
  const loginsOfLockedAccounts = createServiceMetric(scope, 'AccountsLocked');
  // Functions write these metrics only to report a problem. With 1 of 24 hours, an alarm notifies at most once a day.
  const oneHourOfDay = { above: 1, latest: 24 };
  return [
    { name: 'rate-limiter-unavailable', metric: uncountedPercent, threshold: 1 },
    { name: 'logins-rejected', metric: rejectedLogins, threshold: 300, periods: ONE_PERIOD },
    { name: 'accounts-guessed', metric: loginsOfLockedAccounts, threshold: 50, periods: ONE_PERIOD },
    { name: 'account-failures', metric: createHourlyMaximum('AccountFailuresInAWindow'), periods: oneHourOfDay },
    { name: 'source-failures', metric: createHourlyMaximum('SourceFailuresInADay'), periods: oneHourOfDay },
    { name: 'credentials-expiring', metric: createHourlyMaximum('ExpiringCredentials'), periods: oneHourOfDay },
  ];
}

/** Defines the alarm on the age of the signing key, which is reported every day. It also starts if no age is reported. */
function defineKeyAgeAlarm(scope: Construct, { firstRun }: SigningKeyRotation): AlarmDefinition {
  // A day without data counts as a key that is much too old. CloudWatch itself would evaluate earlier days instead.
  const ageDays = new MathExpression({
    expression: `FILL(age, ${MAX_KEY_AGE_DAYS * 10})`,
    usingMetrics: { age: createServiceMetric(scope, 'SigningKeyAgeDays', { statistic: MAXIMUM, period: ONE_DAY }) },
    period: ONE_DAY,
    label: 'days',
  });
  const threshold = MAX_KEY_AGE_DAYS + 3;
  const twoDays = { above: 2, latest: 2 };
  return { name: 'signing-key-age', metric: ageDays, threshold, periods: twoDays, firstData: firstRun };
}

function listEventAlarms(scope: Construct, { handler, deadLetters }: EventPublishing): AlarmDefinition[] {
  // An event is usually published within two seconds. The stream deletes a record after a day.
  const delayMs = handler.metric('IteratorAge', { statistic: MAXIMUM });
  const queued = deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: MAXIMUM });
  const skipped = createServiceMetric(scope, 'EventsSkipped');
  return [
    { name: 'events-late', metric: delayMs, threshold: 300_000 },
    { name: 'events-unpublished', metric: createSum({ queued, skipped }), periods: ONE_PERIOD },
  ];
}

/** Creates the sum of metrics by their ids. Without FILL, the sum would have no data if one metric has none. */
function createSum(usingMetrics: Readonly<Record<string, IMetric>>): MathExpression {
  const terms = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ expression: terms.join(' + '), usingMetrics });
}
