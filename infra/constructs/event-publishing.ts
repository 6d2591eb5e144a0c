import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Archive, EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, type Function, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import { CommandError } from '../process/terminal.ts';
import { eventPublishing } from '../routes.ts';
import { createFunction } from './service-function.ts';
import type { Tables } from './tables.ts';
import { PUBLISHED_KINDS } from '../../lib/contracts/events.ts';

export type EventPublishing = ReturnType<typeof createEventPublishing>;

/** Creates an event bus with an archive, and the function that publishes the changes of each invoice in their order. */
export function createEventPublishing(scope: Construct, tables: Tables, deployment: Deployment) {
  const bus = new EventBus(scope, 'Events', { eventBusName: deployment.stackName });
  new Archive(scope, 'EventArchive', {
    sourceEventBus: bus,
    // The construct requires a pattern. This pattern matches all events of the bus.
    eventPattern: { account: [Stack.of(scope).account] },
    retention: Duration.days(90),
    description: 'The events of the last 90 days, which EventBridge can send to receivers again.',
  });
  const deadLetters = new Queue(scope, 'UnpublishedEvents', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(deadLetters).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'This queue, which receives the positions of unpublished stream records, is itself a dead-letter queue.',
  });
  const handler = createFunction(scope, eventPublishing, tables, deployment);
  handler.addEnvironment('EVENT_BUS_NAME', bus.eventBusName);
  bus.grantPutEventsTo(handler);
  connectStream(handler, tables, deadLetters);
  new CfnOutput(scope, 'EventBus', {
    value: bus.eventBusName,
    description: 'The event bus to which declarations and state changes are published.',
  });
  new CfnOutput(scope, 'UnpublishedEventsQueue', {
    value: deadLetters.queueUrl,
    description: 'The queue with the positions of the stream records that could not be published.',
  });
  return { handler, deadLetters };
}

/** Connects the stream of the table Declarations, which contains each new change, to the function. */
function connectStream(handler: Function, { Declarations }: Tables, deadLetters: Queue): void {
  const { tableStreamArn } = Declarations;
  // The stack creates its table with a stream. Only an existing table can have none.
  if (tableStreamArn === undefined) {
    throw new CommandError(
      'With events, tables.Declarations also needs tables.DeclarationsStream, the LatestStreamArn of the table.',
    );
  }
  const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((name) => `dynamodb:${name}`);
  handler.addToRolePolicy(new PolicyStatement({ actions, resources: [tableStreamArn] }));
  handler.addEventSourceMapping('DeclarationsStream', {
    eventSourceArn: tableStreamArn,
    // TRIM_HORIZON is the oldest record. With LATEST, records that are written before the first read would be skipped.
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: [
      FilterCriteria.filter({
        eventName: FilterRule.isEqual('INSERT'),
        dynamodb: { NewImage: { kind: { S: FilterRule.or(...PUBLISHED_KINDS) } } },
      }),
    ],
    batchSize: 100,
    parallelizationFactor: 1,
    // The function returns the first record that it could not publish. Lambda, which reads the stream, continues there.
    reportBatchItemFailures: true,
    // If the function crashes, it returns no record. Then Lambda halves the batch until it finds the record.
    bisectBatchOnError: true,
    // With -1, Lambda retries a record without a limit, until the record is 23 hours old. Until then, the next records of
    // the shard wait. The stream deletes records after 24 hours, so that one hour remains to publish them.
    retryAttempts: -1,
    maxRecordAge: Duration.hours(23),
    onFailure: new SqsDlq(deadLetters),
  });
}
