import { expect, it } from 'vitest';
import { everyOption, getVariant, prodOptions } from '../support/stack/stack-variants.ts';

interface MappingProperties {
  readonly FilterCriteria: { readonly Filters: readonly { readonly Pattern: string }[] };
}

const { findResources: plainResources } = await getVariant({ stage: 'dev' });
const stack = await getVariant({ stage: 'prod', ...everyOption });
const tableType = 'AWS::DynamoDB::GlobalTable';
const mappingType = 'AWS::Lambda::EventSourceMapping';
const getArn = (type: string, path: string) => ({ 'Fn::GetAtt': [stack.getResource(type, path).id, 'Arn'] });
const getStreamArn = (table: string) => ({ 'Fn::GetAtt': [stack.getResource(tableType, table).id, 'StreamArn'] });

it('without the option events no table has a stream, and the stack has no bus, archive, stream reader or queue', () => {
  const types = ['AWS::Events::EventBus', 'AWS::Events::Archive', mappingType, 'AWS::SQS::Queue'];
  expect(types.flatMap((type) => plainResources(type))).toEqual([]);
  expect(JSON.stringify(plainResources(tableType))).not.toContain('StreamSpecification');
});

it('only the table Declarations has a stream, with the images that a replica needs', () => {
  const withStream = stack
    .findResources<object>(tableType)
    .filter(({ Properties }) => 'StreamSpecification' in Properties);
  const StreamSpecification = { StreamViewType: 'NEW_AND_OLD_IMAGES' };
  expect(withStream).toMatchObject([{ path: 'Declarations', Properties: { StreamSpecification } }]);
});

it('changes with an event are read in order, and skipped an hour before the stream deletes them', () => {
  const { Properties } = stack.getResource<MappingProperties>(mappingType, 'publish-events/DeclarationsStream');
  expect(Properties).toMatchObject({
    ...{ EventSourceArn: getStreamArn('Declarations'), StartingPosition: 'TRIM_HORIZON', ParallelizationFactor: 1 },
    ...{ FunctionResponseTypes: ['ReportBatchItemFailures'], BisectBatchOnFunctionError: true },
    ...{ MaximumRetryAttempts: -1, MaximumRecordAgeInSeconds: 82_800 },
    DestinationConfig: { OnFailure: { Destination: getArn('AWS::SQS::Queue', 'UnpublishedEvents') } },
  });
  const patterns = Properties.FilterCriteria.Filters.map(({ Pattern }) => JSON.parse(Pattern) as object);
  const kinds = ['declaration', 'state', 'amount', 'notice', 'withdrawal', 'restore'];
  expect(patterns).toEqual([{ eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: kinds } } } }]);
});

it('the archive keeps the events of the bus for 90 days', () => {
  expect(stack.getResource('AWS::Events::Archive').Properties).toMatchObject({
    SourceArn: getArn('AWS::Events::EventBus', 'Events'),
    EventPattern: { account: [prodOptions.account] },
    RetentionDays: 90,
  });
});

it('publish-events can only read its stream and write to its bus, queue and logs, and has no table name', () => {
  const role = stack.getResource('AWS::IAM::Role', 'publish-events-role').id;
  const type = 'AWS::IAM::Policy';
  const policies = stack.findResources<{ Roles: object[]; PolicyDocument: { Statement: object[] } }>(type);
  const ownPolicies = policies.filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(`"${role}"`));
  const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  const queueActions = ['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'];
  const allowed: [string | string[], unknown][] = [
    [['logs:CreateLogStream', 'logs:PutLogEvents'], getArn('AWS::Logs::LogGroup', 'publish-events-logs')],
    ['events:PutEvents', getArn('AWS::Events::EventBus', 'Events')],
    [streamActions.map((action) => `dynamodb:${action}`), getStreamArn('Declarations')],
    [queueActions.map((action) => `sqs:${action}`), getArn('AWS::SQS::Queue', 'UnpublishedEvents')],
  ];
  expect(ownPolicies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement)).toEqual(
    allowed.map(([Action, Resource]) => ({ Effect: 'Allow', Action, Resource })),
  );
  const reader = stack.getResource('AWS::Lambda::Function', 'publish-events').Properties;
  expect(JSON.stringify(reader)).not.toMatch(/"\w+_TABLE"/);
});

it('skipped events stay in a queue for 14 days, and the outputs contain the queue and the bus', () => {
  const queue = stack.getResource('AWS::SQS::Queue', 'UnpublishedEvents');
  expect(queue.Properties).toMatchObject({ MessageRetentionPeriod: 14 * 86_400 });
  const bus = stack.getResource('AWS::Events::EventBus');
  expect(bus.Properties).toEqual({ Name: 'SupplierPortalInvoices-prod' });
  expect(stack.outputs).toMatchObject({
    EventBus: { Value: { Ref: bus.id } },
    UnpublishedEventsQueue: { Value: { Ref: queue.id } },
  });
});
