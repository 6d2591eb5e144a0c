import { CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, type Function, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Deployment } from '../options.ts';
import { eventPublishing } from '../routes.ts';
import { createFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

/** The function that publishes events, and the queue that names what it could not publish. */
export interface EventPublishing {
  readonly handler: Function;
  readonly deadLetters: Queue;
}

/** What the histories gain, by table: revisions of declarations, and changes of state beside the invoices. */
const histories = {
  // Other items of this table have neither attribute.
  Declarations: {
    NewImage: { declaration_id: { S: FilterRule.exists() }, declared_amount: { N: FilterRule.exists() } },
  },
  Invoices: { Keys: { sk: { S: FilterRule.beginsWith('STATE#') } } },
};

/**
 * Publishes what the histories gain to an event bus of the stack: at least once, and in order for each invoice, for the
 * entries of an invoice are in one shard, of which one batch at a time is worked on.
 */
export function publishEvents(scope: Construct, tables: Tables, deployment: Deployment): EventPublishing {
  const bus = new EventBus(scope, 'Events', { eventBusName: deployment.stackName });
  const deadLetters = new Queue(scope, 'UnpublishedEvents', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(deadLetters).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is a dead-letter queue itself: of records of streams, which no queue names.',
  });
  const handler = createFunction(scope, eventPublishing, tables, deployment);
  handler.addEnvironment('EVENT_BUS_NAME', bus.eventBusName);
  bus.grantPutEventsTo(handler);
  for (const [name, filter] of Object.entries(histories)) {
    const { tableStreamArn } = tables[name as keyof typeof histories] as Table & { readonly tableStreamArn: string };
    handler.addToRolePolicy(
      new PolicyStatement({
        actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((one) => `dynamodb:${one}`),
        resources: [tableStreamArn],
      }),
    );
    handler.addEventSourceMapping(`${name}Stream`, {
      eventSourceArn: tableStreamArn,
      // What is written between the creation of the stream and that of this reader counts.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT'), dynamodb: filter })],
      batchSize: 100,
      parallelizationFactor: 1,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // A record that cannot be published holds up its shard until one of these ends it.
      retryAttempts: 30,
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(deadLetters),
    });
  }
  new CfnOutput(scope, 'EventBus', { value: bus.eventBusName });
  new CfnOutput(scope, 'UnpublishedEventsQueue', { value: deadLetters.queueUrl });
  return { handler, deadLetters };
}
