import { expect, it } from 'vitest';
import { getVariant } from '../support/stack/stack-variants.ts';

interface Index {
  readonly IndexName: string;
}

interface TableProperties {
  readonly GlobalSecondaryIndexes?: readonly Index[];
  readonly LocalSecondaryIndexes?: readonly Index[];
  readonly TimeToLiveSpecification?: { readonly AttributeName: string };
}

const { findResources, getResource } = await getVariant({ stage: 'dev' });
const type = 'AWS::DynamoDB::GlobalTable';
const tables = findResources<TableProperties>(type);

it.each(tables)('$path is in one region, recoverable, encrypted, tagged and billed on demand', ({ Properties }) => {
  const tags = { service: 'supplier-portal-invoices', stage: 'dev' };
  expect(Properties).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    Replicas: [
      {
        Region: { Ref: 'AWS::Region' },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      },
    ],
  });
});

it('the stack has five tables, of which two have a TTL and two have an index', () => {
  const rows = tables.map(({ path, Properties }) => {
    const { TimeToLiveSpecification, LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [] } = Properties;
    const indexNames = [...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(({ IndexName }) => IndexName);
    return [path, TimeToLiveSpecification?.AttributeName, ...indexNames];
  });
  expect(rows).toEqual([
    ['Directory', 'ttl'],
    ['Invoices', undefined, 'lists'],
    ['Declarations', undefined, 'changes'],
    ['RateCounters', 'ttl'],
    ['SigningKeys', undefined],
  ]);
});

it('a stack keeps its data in an update, because no logical id of a table or of the encryption key changes', () => {
  // If an id changed, CloudFormation would create an empty table, and the service would lose its data.
  expect([...tables, getResource('AWS::KMS::Key')].map(({ id }) => id)).toEqual([
    ...['Directory98167B95', 'InvoicesF0222E8D', 'Declarations0B5AAC07'],
    ...['RateCounters400D4BCE', 'SigningKeysA56F0358', 'SigningKeysEncryption878FC3E8'],
  ]);
});

it('only the table SigningKeys is encrypted with a key of its own, which rotates', () => {
  const key = getResource('AWS::KMS::Key', 'SigningKeysEncryption');
  expect(key.Properties).toMatchObject({ EnableKeyRotation: true });
  const SSESpecification = { KMSMasterKeyId: { 'Fn::GetAtt': [key.id, 'Arn'] } };
  expect(getResource(type, 'SigningKeys').Properties).toMatchObject({ Replicas: [{ SSESpecification }] });
  const withOwnKey = tables.filter(({ Properties }) => JSON.stringify(Properties).includes('KMSMasterKeyId'));
  expect(withOwnKey.map(({ path }) => path)).toEqual(['SigningKeys']);
});
