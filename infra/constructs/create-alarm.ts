import { Annotations, CfnOutput, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';

/** The definition of an alarm. infra/ops/runbook.md explains when each alarm starts, and what to do. */
export interface AlarmDefinition {
  readonly name: string;
  readonly metric: IMetric;
  /** The limit of the metric in a period. The default is 0. */
  readonly threshold?: number;
  /** The alarm starts when `above` of the `latest` periods are above the threshold. The default is 2 of 3. */
  readonly periods?: { readonly above: number; readonly latest: number };
  /** The construct that writes the first data of the metric. Only if it is set, missing data starts the alarm. */
  readonly firstData?: Construct;
}

/** Creates an alarm that notifies the topic of its start and its end. */
export function createAlarm(scope: Construct, definition: AlarmDefinition, topic: Topic): Alarm {
  const { name, metric, threshold = 0, periods = { above: 2, latest: 3 }, firstData } = definition;
  const alarm = new Alarm(scope, `${name}-alarm`, {
    alarmName: `${Stack.of(scope).stackName}-${name}`,
    alarmDescription: 'See infra/ops/runbook.md.',
    metric,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    datapointsToAlarm: periods.above,
    evaluationPeriods: periods.latest,
    // Most metrics have no data while there is no traffic.
    treatMissingData: firstData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  // The alarm is created after the first data, so that it does not start at once.
  if (firstData) alarm.node.addDependency(firstData);
  const action = new SnsAction(topic);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  return alarm;
}

/** Creates the topic to which alarms are sent. The option `alarmEmail` is its first subscriber. */
export function createAlarmTopic(scope: Construct, { alarmEmail, keepData }: Deployment): Topic {
  // The topic has no encryption key, which costs 1 US$ a month, because messages contain no data of suppliers.
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (alarmEmail) {
    topic.addSubscription(new EmailSubscription(alarmEmail));
  } else if (keepData) {
    Annotations.of(topic).addWarningV2(
      'supplier-portal:alarmEmail',
      'No one is subscribed to the alarm topic. Set alarmEmail in infra/stages.ts, or subscribe to the topic AlarmTopic of the outputs.',
    );
  }
  new CfnOutput(scope, 'AlarmTopic', {
    value: topic.topicArn,
    description: 'The topic to which alarms are sent. Subscribe to it to receive them.',
  });
  return topic;
}
