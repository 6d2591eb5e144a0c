import { CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, type Function, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import { eventPublishing } from '../routes.ts';
import { createFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

export type EventPublishing = ReturnType<typeof createEventPublishing>;

const STREAM_ACTIONS = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

/** The filters for new history entries by table: revisions of declarations, and state changes of invoices. */
const HISTORY_FILTERS = {
  // Only revisions have both attributes.
  Declarations: {
    NewImage: { declaration_id: { S: FilterRule.exists() }, declared_amount: { N: FilterRule.exists() } },
  },
  Invoices: { Keys: { sk: { S: FilterRule.beginsWith('STATE#') } } },
};

/**
 * Creates an event bus, and the function that publishes new history entries to it at least once. Of each table, the
 * entries of an invoice are published in order: they are in one shard, whose batches are processed one at a time.
 */
export function createEventPublishing(scope: Construct, tables: Tables, deployment: Deployment) {
  const bus = new EventBus(scope, 'Events', { eventBusName: deployment.stackName });
  // The queue of the records that could not be published.
  const deadLetters = new Queue(scope, 'UnpublishedEvents', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(deadLetters).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason:
      'This queue receives the records of streams that the function could not publish. It is itself a dead-letter queue.',
  });
  const handler = createFunction(scope, eventPublishing, tables, deployment);
  handler.addEnvironment('EVENT_BUS_NAME', bus.eventBusName);
  bus.grantPutEventsTo(handler);
  for (const name of ['Declarations', 'Invoices'] as const) connectStream(handler, tables, name, deadLetters);
  new CfnOutput(scope, 'EventBus', {
    value: bus.eventBusName,
    description: 'The event bus to which declarations and state changes are published.',
  });
  new CfnOutput(scope, 'UnpublishedEventsQueue', {
    value: deadLetters.queueUrl,
    description: 'The queue of the stream records that could not be published.',
  });
  return { handler, deadLetters, bus };
}

/** Lets a function read the new history entries of a table from its stream. */
function connectStream(
  handler: Function,
  tables: Tables,
  name: keyof typeof HISTORY_FILTERS,
  deadLetters: Queue,
): void {
  // With the option `events`, both tables have a stream.
  const tableStreamArn = tables[name].tableStreamArn!;
  const actions = STREAM_ACTIONS.map((action) => `dynamodb:${action}`);
  handler.addToRolePolicy(new PolicyStatement({ actions, resources: [tableStreamArn] }));
  handler.addEventSourceMapping(`${name}Stream`, {
    eventSourceArn: tableStreamArn,
    // With LATEST, the reader would skip records that are written before it starts to read the new stream.
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT'), dynamodb: HISTORY_FILTERS[name] })],
    batchSize: 100,
    parallelizationFactor: 1,
    // The function returns the first record that it could not publish, and the reader continues there.
    reportBatchItemFailures: true,
    // If the function crashes, it returns no record. Therefore the reader halves the batch until it finds the record.
    bisectBatchOnError: true,
    // With -1, the reader tries a record again without a limit, until the record is 23 hours old. Until then, the next
    // records of the shard wait. The stream deletes records after 24 hours, so one hour remains to publish them.
    retryAttempts: -1,
    maxRecordAge: Duration.hours(23),
    onFailure: new SqsDlq(deadLetters),
  });
}
