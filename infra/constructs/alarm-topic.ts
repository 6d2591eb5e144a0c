import { Annotations, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Deployment } from '../options.ts';

const NOBODY_HEARS =
  'Nobody hears of alarms. Give -c alarmEmail=<address>, or subscribe somebody to the topic AlarmTopic of the outputs.';

/**
 * Creates the encrypted topic that alarms of this account may publish to, with the e-mail address that the deployment
 * names. A stage that keeps its data warns when it names none.
 */
export function createAlarmTopic(scope: Construct, { alarmEmail, keepData }: Deployment): Topic {
  // Alarms cannot use the key that AWS manages for topics: its policy does not let CloudWatch in.
  const key = new Key(scope, 'AlarmTopicEncryption', {
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.DESTROY,
    pendingWindow: Duration.days(7),
  });
  const topic = new Topic(scope, 'Alarms', { masterKey: key, enforceSSL: true });
  const ofAlarms = {
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  };
  key.addToResourcePolicy(
    new PolicyStatement({ ...ofAlarms, actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: ['*'] }),
  );
  topic.addToResourcePolicy(
    new PolicyStatement({ ...ofAlarms, actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
  if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
  else if (keepData) Annotations.of(topic).addWarningV2('supplier-portal:alarmEmail', NOBODY_HEARS);
  return topic;
}
