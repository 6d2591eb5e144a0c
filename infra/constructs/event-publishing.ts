import { CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import { eventPublishing } from '../routes.ts';
import { createFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

export type EventPublishing = ReturnType<typeof createEventPublishing>;

/** The filters for new history entries by table: revisions of declarations, and state changes of invoices. */
const histories = {
  // Other items of this table have neither attribute.
  Declarations: {
    NewImage: { declaration_id: { S: FilterRule.exists() }, declared_amount: { N: FilterRule.exists() } },
  },
  Invoices: { Keys: { sk: { S: FilterRule.beginsWith('STATE#') } } },
};

/**
 * Publishes new history entries to an event bus of the stack: at least once, and in order for each invoice, because the
 * entries of an invoice are in one shard, whose batches are processed one at a time.
 */
export function createEventPublishing(scope: Construct, tables: Tables, deployment: Deployment) {
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
      // Includes records that are written between the creation of the stream and that of this reader.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT'), dynamodb: filter })],
      batchSize: 100,
      parallelizationFactor: 1,
      reportBatchItemFailures: true,
      // Separates a record that makes the function crash from those before it; see `reportBatchItemFailures` for others.
      bisectBatchOnError: true,
      // A record that cannot be published delays its shard until this age; -1: no limit of attempts. The stream keeps
      // records for 24 hours: in the remaining hour, the following records are published or sent to the queue, too.
      retryAttempts: -1,
      maxRecordAge: Duration.hours(23),
      onFailure: new SqsDlq(deadLetters),
    });
  }
  new CfnOutput(scope, 'EventBus', { value: bus.eventBusName });
  new CfnOutput(scope, 'UnpublishedEventsQueue', { value: deadLetters.queueUrl });
  return { handler, deadLetters };
}
