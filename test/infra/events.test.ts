import { describe, expect, it } from 'vitest';
import { everyOption, getVariant } from '../support/stack/stack-variants.ts';

const { findResources: plainResources } = await getVariant({ stage: 'dev' });
const stack = await getVariant({ stage: 'prod', ...everyOption });
const tableType = 'AWS::DynamoDB::Table';
const mappingType = 'AWS::Lambda::EventSourceMapping';
const arnOf = (type: string, path: string) => ({ 'Fn::GetAtt': [stack.getResource(type, path).id, 'Arn'] });
const streamOf = (table: string) => ({ 'Fn::GetAtt': [stack.getResource(tableType, table).id, 'StreamArn'] });

it('without the option events no table has a stream, and there is no bus, no reader and no queue', () => {
  const types = ['AWS::Events::EventBus', mappingType, 'AWS::SQS::Queue'];
  expect(types.flatMap((type) => plainResources(type))).toEqual([]);
  expect(JSON.stringify(plainResources(tableType))).not.toContain('StreamSpecification');
});

describe('with the option events', () => {
  // What passes the filters of the streams is a matter of test/e2e/events.test.ts.
  it.each(['Invoices', 'Declarations'])(
    'what the stream of %s gains is read in order, and given up an hour before the stream drops it',
    (table) => {
      const { Properties } = stack.getResource<object>(tableType, table);
      expect(Properties).toMatchObject({ StreamSpecification: { StreamViewType: 'NEW_IMAGE' } });
      expect(stack.getResource(mappingType, `publish-events/${table}Stream`).Properties).toMatchObject({
        ...{ EventSourceArn: streamOf(table), StartingPosition: 'TRIM_HORIZON', ParallelizationFactor: 1 },
        ...{ FunctionResponseTypes: ['ReportBatchItemFailures'], BisectBatchOnFunctionError: true },
        ...{ MaximumRetryAttempts: -1, MaximumRecordAgeInSeconds: 82_800 },
        DestinationConfig: { OnFailure: { Destination: arnOf('AWS::SQS::Queue', 'UnpublishedEvents') } },
      });
    },
  );

  it('the function may read its two streams, put to its bus and to its queue, and nothing else; it knows no table', () => {
    const role = stack.getResource('AWS::IAM::Role', 'publish-events-role').id;
    const type = 'AWS::IAM::Policy';
    const policies = stack.findResources<{ Roles: object[]; PolicyDocument: { Statement: object[] } }>(type);
    const own = policies.filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(`"${role}"`));
    const ofStreams = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    const ofQueue = ['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'];
    const allowed: [string | string[], unknown][] = [
      [['logs:CreateLogStream', 'logs:PutLogEvents'], arnOf('AWS::Logs::LogGroup', 'publish-events-logs')],
      [['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*'],
      ['events:PutEvents', arnOf('AWS::Events::EventBus', 'Events')],
      [ofStreams.map((one) => `dynamodb:${one}`), [streamOf('Declarations'), streamOf('Invoices')]],
      [ofQueue.map((one) => `sqs:${one}`), arnOf('AWS::SQS::Queue', 'UnpublishedEvents')],
    ];
    expect(own.flatMap(({ Properties }) => Properties.PolicyDocument.Statement)).toEqual(
      allowed.map(([Action, Resource]) => ({ Effect: 'Allow', Action, Resource })),
    );
    const reader = stack.getResource('AWS::Lambda::Function', 'publish-events').Properties;
    expect(JSON.stringify(reader)).not.toMatch(/"\w+_TABLE"/);
  });

  it('what is given up waits for 14 days in a queue, which the outputs name, as the bus', () => {
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
