import { describe, expect, it } from 'vitest';
import { resourcesOfType, theResource } from '../support/stack/stack-template.ts';

interface TableProperties {
  readonly KeySchema: readonly { AttributeName: string; KeyType: string }[];
  readonly AttributeDefinitions: readonly { AttributeName: string; AttributeType: string }[];
  readonly GlobalSecondaryIndexes?: readonly object[];
  readonly TimeToLiveSpecification?: object;
}

const type = 'AWS::DynamoDB::Table';
const tables = resourcesOfType<TableProperties>(type);

describe('tables', () => {
  it.each(tables)('$path is recoverable, encrypted, and paid by use, under a name of the stack', ({ Properties }) => {
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
    });
    expect(Properties).not.toHaveProperty('TableName');
    // Local ones would hold a supplier to 10 GB.
    expect(Properties).not.toHaveProperty('LocalSecondaryIndexes');
  });

  it('have one index, by which an operator finds what a request declared; it is read late, and no answer goes by it', () => {
    const indexes = tables.flatMap(({ path, Properties }) =>
      (Properties.GlobalSecondaryIndexes ?? []).map((index) => ({ path, ...index })),
    );
    const KeySchema = [{ AttributeName: 'log_request', KeyType: 'HASH' }];
    expect(indexes).toMatchObject([{ path: 'Declarations', IndexName: 'requests', KeySchema }]);
  });

  it('are these six, with these keys, and some let items expire', () => {
    const ofTable = ({ KeySchema, AttributeDefinitions, TimeToLiveSpecification }: TableProperties) => ({
      keys: KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`),
      types: AttributeDefinitions.map(({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`),
      expires: TimeToLiveSpecification,
    });
    const both = { keys: ['pk HASH', 'sk RANGE'], types: ['pk S', 'sk S'], expires: undefined };
    const expires = { AttributeName: 'ttl', Enabled: true };
    expect(tables.map(({ path, Properties }) => [path, ofTable(Properties)])).toEqual([
      ['Directory', { ...both, expires }],
      ['Invoices', both],
      ['Declarations', { ...both, types: ['pk S', 'sk N', 'log_request S'] }],
      ['DayIndexes', { ...both, expires }],
      ['RateCounters', { keys: ['pk HASH'], types: ['pk S'], expires }],
      ['SigningKeys', both],
    ]);
  });

  it('hold the signing keys under a key of their own that rotates', () => {
    const key = theResource('AWS::KMS::Key', 'SigningKeysEncryption');
    expect(key.Properties).toMatchObject({ EnableKeyRotation: true });
    expect(theResource(type, 'SigningKeys').Properties).toMatchObject({
      SSESpecification: { SSEType: 'KMS', KMSMasterKeyId: { 'Fn::GetAtt': [key.id, 'Arn'] } },
    });
  });
});
