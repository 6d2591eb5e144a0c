import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Deployment } from '../options.ts';

const NOBODY_HEARS =
  'Nobody hears of alarms. Give -c alarmEmail=<address>, or subscribe somebody to the topic AlarmTopic of the outputs.';

/**
 * Creates the topic that alarms of this account may publish to, with the e-mail address that the deployment
 * names. A stage that keeps its data warns when it names none.
 */
export function createAlarmTopic(scope: Construct, { alarmEmail, keepData }: Deployment): Topic {
  // Without a key of its own, which costs 1 US$ a month: a message names an alarm, and nothing of suppliers.
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
