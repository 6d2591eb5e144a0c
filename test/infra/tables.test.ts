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
  it.each(tables)('$path is recoverable, encrypted, billed on demand, and has no local index', ({ Properties }) => {
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
    });
    // A local index would limit the data of a supplier to 10 GB.
    expect(Properties).not.toHaveProperty('LocalSecondaryIndexes');
  });

  it('the stack has six tables, of which three have a TTL and one has an index', () => {
    const rows = tables.map(({ path, Properties: { TimeToLiveSpecification, GlobalSecondaryIndexes = [] } }) => [
      path,
      TimeToLiveSpecification?.AttributeName,
      GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).join(),
    ]);
    expect(rows).toEqual([
      ['Directory', 'ttl', ''],
      ['Invoices', undefined, ''],
      ['Declarations', undefined, 'requests'],
      ['DayIndexes', 'ttl', ''],
      ['RateCounters', 'ttl', ''],
      ['SigningKeys', undefined, ''],
    ]);
  });

  it('a stack keeps its data in an update, because no logical id of a table or of the encryption key changes', () => {
    // If an id changed, CloudFormation would create an empty table, and the service would lose its data.
    expect([...tables, getResource('AWS::KMS::Key')].map(({ id }) => id)).toEqual([
      ...['Directory98167B95', 'InvoicesF0222E8D', 'Declarations0B5AAC07', 'DayIndexesABDD9428'],
      ...['RateCounters400D4BCE', 'SigningKeysA56F0358', 'SigningKeysEncryption878FC3E8'],
    ]);
  });

  it('the table SigningKeys is encrypted with its own key, which rotates', () => {
    const key = getResource('AWS::KMS::Key', 'SigningKeysEncryption');
    expect(key.Properties).toMatchObject({ EnableKeyRotation: true });
    expect(getResource(type, 'SigningKeys').Properties).toMatchObject({
      SSESpecification: { SSEType: 'KMS', KMSMasterKeyId: { 'Fn::GetAtt': [key.id, 'Arn'] } },
    });
  });
});
