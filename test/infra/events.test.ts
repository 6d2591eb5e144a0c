import { describe, expect, it } from 'vitest';
import { resourcesOfType as plainResources } from '../support/stack/stack-template.ts';
import { everyOption, variantOf } from '../support/stack/stack-variants.ts';

const stack = variantOf({ stage: 'prod', ...everyOption });
const tableType = 'AWS::DynamoDB::Table';
const mappingType = 'AWS::Lambda::EventSourceMapping';
const arnOf = (type: string, path: string) => ({ 'Fn::GetAtt': [stack.theResource(type, path).id, 'Arn'] });
const streamOf = (table: string) => ({ 'Fn::GetAtt': [stack.theResource(tableType, table).id, 'StreamArn'] });

interface Mapping {
  readonly FilterCriteria: { readonly Filters: readonly { readonly Pattern: string }[] };
}

it('without the option events no table has a stream, and there is no bus, no reader and no queue', () => {
  const types = ['AWS::Events::EventBus', mappingType, 'AWS::SQS::Queue'];
  expect(types.flatMap((type) => plainResources(type))).toEqual([]);
  expect(JSON.stringify(plainResources(tableType))).not.toContain('StreamSpecification');
});

describe('with the option events', () => {
  it('the tables with histories have streams of new images, and no other table has one', () => {
    const tables = stack.resourcesOfType<{ StreamSpecification?: object }>(tableType);
    const streams = tables.map(({ path, Properties }) => [path, Properties.StreamSpecification]);
    const image = { StreamViewType: 'NEW_IMAGE' };
    expect(streams.filter(([, stream]) => stream)).toEqual([
      ['Invoices', image],
      ['Declarations', image],
    ]);
  });

  it.each([
    ['Invoices', { Keys: { sk: { S: [{ prefix: 'STATE#' }] } } }],
    [
      'Declarations',
      { NewImage: { declaration_id: { S: [{ exists: true }] }, declared_amount: { N: [{ exists: true }] } } },
    ],
  ])(
    'the function reads of %s what its histories gain, in order, and gives up after bounded attempts',
    (table, filter) => {
      const mapping = stack.theResource<Mapping>(mappingType, `publish-events/${table}Stream`).Properties;
      expect(mapping).toMatchObject({
        EventSourceArn: streamOf(table),
        FunctionName: { Ref: stack.theResource('AWS::Lambda::Function', 'publish-events').id },
        StartingPosition: 'TRIM_HORIZON',
        ParallelizationFactor: 1,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: 30,
        MaximumRecordAgeInSeconds: 21_600,
        DestinationConfig: { OnFailure: { Destination: arnOf('AWS::SQS::Queue', 'UnpublishedEvents') } },
      });
      const patterns = mapping.FilterCriteria.Filters.map(({ Pattern }) => JSON.parse(Pattern));
      expect(patterns).toEqual([{ eventName: ['INSERT'], dynamodb: filter }]);
    },
  );

  it('the function may read its two streams, put to its bus and to its queue, and nothing else; it knows no table', () => {
    const role = stack.theResource('AWS::IAM::Role', 'publish-events-role').id;
    const policies = stack.resourcesOfType<{ Roles: object[]; PolicyDocument: { Statement: object[] } }>(
      'AWS::IAM::Policy',
    );
    const own = policies.filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(`"${role}"`));
    expect(own.flatMap(({ Properties }) => Properties.PolicyDocument.Statement)).toEqual(
      [
        [['logs:CreateLogStream', 'logs:PutLogEvents'], arnOf('AWS::Logs::LogGroup', 'publish-events-logs')],
        [['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*'],
        ['events:PutEvents', arnOf('AWS::Events::EventBus', 'Events')],
        [
          ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((one) => `dynamodb:${one}`),
          [streamOf('Declarations'), streamOf('Invoices')],
        ],
        [
          ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
          arnOf('AWS::SQS::Queue', 'UnpublishedEvents'),
        ],
      ].map(([Action, Resource]) => ({ Effect: 'Allow', Action, Resource })),
    );
    const { Environment } = stack.theResource<{ Environment: { Variables: object } }>(
      'AWS::Lambda::Function',
      'publish-events',
    ).Properties;
    expect(Object.keys(Environment.Variables).filter((name) => name.endsWith('TABLE'))).toEqual([]);
  });

  it('what is given up waits for 14 days in a queue, which the outputs name, as the bus', () => {
    const queue = stack.theResource('AWS::SQS::Queue', 'UnpublishedEvents');
    expect(queue.Properties).toMatchObject({ MessageRetentionPeriod: 14 * 86_400 });
    const bus = stack.theResource('AWS::Events::EventBus');
    expect(bus.Properties).toEqual({ Name: 'SupplierPortalInvoices-prod' });
    expect(stack.outputs).toMatchObject({
      EventBus: { Value: { Ref: bus.id } },
      UnpublishedEventsQueue: { Value: { Ref: queue.id } },
    });
  });
});
