import { describe, expect, it } from 'vitest';
import { resourcesOfType, theResource } from '../support/stack/stack-template.ts';

interface TableProperties {
  readonly KeySchema: readonly { AttributeName: string; KeyType: string }[];
  readonly AttributeDefinitions: readonly { AttributeName: string; AttributeType: string }[];
  readonly TimeToLiveSpecification?: object;
}

const type = 'AWS::DynamoDB::Table';
const tables = resourcesOfType<TableProperties>(type);

describe('tables', () => {
  it('are these six', () => {
    expect(tables.map(({ path }) => path)).toEqual([
      'Directory',
      'Invoices',
      'Declarations',
      'DayIndexes',
      'RateCounters',
      'SigningKeys',
    ]);
  });

  it.each(tables)('$path is recoverable, encrypted, and paid by use, under a name of the stack', (table) => {
    expect(table.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
    });
    expect(table.Properties).not.toHaveProperty('TableName');
  });

  it.each([
    ['Directory', { pk: 'S', sk: 'S' }],
    ['Invoices', { pk: 'S', sk: 'S' }],
    ['Declarations', { pk: 'S', sk: 'N' }],
    ['DayIndexes', { pk: 'S', sk: 'S' }],
    ['RateCounters', { pk: 'S' }],
    ['SigningKeys', { pk: 'S', sk: 'S' }],
  ])('%s has its keys', (name, attributes) => {
    const { KeySchema, AttributeDefinitions } = theResource<TableProperties>(type, name).Properties;
    const types = AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]);
    expect(Object.fromEntries(types)).toEqual(attributes);
    const keys = KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`);
    expect(keys).toEqual('sk' in attributes ? ['pk HASH', 'sk RANGE'] : ['pk HASH']);
  });

  it('expire items of Directory, DayIndexes and RateCounters only', () => {
    const expiring = tables.filter(({ Properties }) => Properties.TimeToLiveSpecification);
    expect(expiring.map(({ path, Properties }) => [path, Properties.TimeToLiveSpecification])).toEqual([
      ['Directory', { AttributeName: 'ttl', Enabled: true }],
      ['DayIndexes', { AttributeName: 'ttl', Enabled: true }],
      ['RateCounters', { AttributeName: 'ttl', Enabled: true }],
    ]);
  });

  it('hold the signing keys under a key of their own that rotates', () => {
    const key = theResource('AWS::KMS::Key', 'SigningKeysEncryption');
    expect(key.Properties).toMatchObject({ EnableKeyRotation: true });
    expect(theResource(type, 'SigningKeys').Properties).toMatchObject({
      SSESpecification: { SSEType: 'KMS', KMSMasterKeyId: { 'Fn::GetAtt': [key.id, 'Arn'] } },
    });
  });

  it('have no indexes: local ones would hold a supplier to 10 GB, and global ones are read late', () => {
    for (const { Properties } of tables) {
      expect(Properties).not.toHaveProperty('LocalSecondaryIndexes');
      expect(Properties).not.toHaveProperty('GlobalSecondaryIndexes');
    }
  });
});
