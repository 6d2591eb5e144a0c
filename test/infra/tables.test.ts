import { describe, expect, it } from 'vitest';
import { getVariant } from '../support/stack/stack-variants.ts';

interface TableProperties {
  readonly GlobalSecondaryIndexes?: readonly { readonly IndexName: string }[];
  readonly TimeToLiveSpecification?: { readonly AttributeName: string };
}

const { findResources, getResource } = await getVariant({ stage: 'dev' });
const type = 'AWS::DynamoDB::Table';
const tables = findResources<TableProperties>(type);

describe('tables', () => {
  it.each(tables)('$path is recoverable, encrypted, paid by use, and holds no supplier to 10 GB', ({ Properties }) => {
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
    });
    expect(Properties).not.toHaveProperty('LocalSecondaryIndexes');
  });

  it('are these six, of which some let items expire, with one index, by which no answer goes', () => {
    const ofTables = tables.map(({ path, Properties: { TimeToLiveSpecification, GlobalSecondaryIndexes = [] } }) => [
      path,
      TimeToLiveSpecification?.AttributeName,
      GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).join(),
    ]);
    expect(ofTables).toEqual([
      ['Directory', 'ttl', ''],
      ['Invoices', undefined, ''],
      ['Declarations', undefined, 'requests'],
      ['DayIndexes', 'ttl', ''],
      ['RateCounters', 'ttl', ''],
      ['SigningKeys', undefined, ''],
    ]);
  });

  it('hold the signing keys under a key of their own that rotates', () => {
    const key = getResource('AWS::KMS::Key', 'SigningKeysEncryption');
    expect(key.Properties).toMatchObject({ EnableKeyRotation: true });
    expect(getResource(type, 'SigningKeys').Properties).toMatchObject({
      SSESpecification: { SSEType: 'KMS', KMSMasterKeyId: { 'Fn::GetAtt': [key.id, 'Arn'] } },
    });
  });
});
