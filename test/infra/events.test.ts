import { describe, expect, it } from 'vitest';
import { everyOption, getVariant } from '../support/stack/stack-variants.ts';

const { findResources: plainResources } = await getVariant({ stage: 'dev' });
const stack = await getVariant({ stage: 'prod', ...everyOption });
const tableType = 'AWS::DynamoDB::Table';
const mappingType = 'AWS::Lambda::EventSourceMapping';
const getArn = (type: string, path: string) => ({ 'Fn::GetAtt': [stack.getResource(type, path).id, 'Arn'] });
const getStreamArn = (table: string) => ({ 'Fn::GetAtt': [stack.getResource(tableType, table).id, 'StreamArn'] });

it('without the option events no table has a stream, and the stack has no bus, stream reader or queue', () => {
  const types = ['AWS::Events::EventBus', mappingType, 'AWS::SQS::Queue'];
  expect(types.flatMap((type) => plainResources(type))).toEqual([]);
  expect(JSON.stringify(plainResources(tableType))).not.toContain('StreamSpecification');
});

describe('with the option events', () => {
  // test/e2e/events.test.ts tests which records pass the filters of the streams.
  it.each(['Invoices', 'Declarations'])(
    'records of the stream of %s are read in order, and skipped an hour before the stream deletes them',
    (table) => {
      const { Properties } = stack.getResource<object>(tableType, table);
      expect(Properties).toMatchObject({ StreamSpecification: { StreamViewType: 'NEW_IMAGE' } });
      expect(stack.getResource(mappingType, `publish-events/${table}Stream`).Properties).toMatchObject({
        ...{ EventSourceArn: getStreamArn(table), StartingPosition: 'TRIM_HORIZON', ParallelizationFactor: 1 },
        ...{ FunctionResponseTypes: ['ReportBatchItemFailures'], BisectBatchOnFunctionError: true },
        ...{ MaximumRetryAttempts: -1, MaximumRecordAgeInSeconds: 82_800 },
        DestinationConfig: { OnFailure: { Destination: getArn('AWS::SQS::Queue', 'UnpublishedEvents') } },
      });
    },
  );

  it('publish-events can only read its streams and write to its bus, queue and logs, and has no table name', () => {
    const role = stack.getResource('AWS::IAM::Role', 'publish-events-role').id;
    const type = 'AWS::IAM::Policy';
    const policies = stack.findResources<{ Roles: object[]; PolicyDocument: { Statement: object[] } }>(type);
    const ownPolicies = policies.filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(`"${role}"`));
    const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    const queueActions = ['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'];
    const allowed: [string | string[], unknown][] = [
      [['logs:CreateLogStream', 'logs:PutLogEvents'], getArn('AWS::Logs::LogGroup', 'publish-events-logs')],
      ['events:PutEvents', getArn('AWS::Events::EventBus', 'Events')],
      [streamActions.map((action) => `dynamodb:${action}`), [getStreamArn('Declarations'), getStreamArn('Invoices')]],
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
});
