import { describe, expect, it } from 'vitest';
import { invoiceListData } from '../../lib/contracts/fields.ts';
import { resourcesOfType, theResource } from '../support/stack/stack-template.ts';

interface TableProperties {
  readonly KeySchema: readonly { AttributeName: string; KeyType: string }[];
  readonly AttributeDefinitions: readonly { AttributeName: string; AttributeType: string }[];
  readonly LocalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeySchema: readonly { AttributeName: string }[];
    readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes: readonly string[] };
  }[];
  readonly GlobalSecondaryIndexes?: readonly object[];
  readonly TimeToLiveSpecification?: object;
}

const type = 'AWS::DynamoDB::Table';
const tables = resourcesOfType<TableProperties>(type);

describe('tables', () => {
  it('are these five', () => {
    expect(tables.map(({ path }) => path)).toEqual([
      'Directory',
      'Invoices',
      'Declarations',
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
    ['Invoices', { pk: 'S', sk: 'S', by_date: 'S', by_state: 'S' }],
    ['Declarations', { pk: 'S', sk: 'N', request_id: 'S' }],
    ['RateCounters', { pk: 'S' }],
    ['SigningKeys', { pk: 'S', sk: 'S' }],
  ])('%s has its keys', (name, attributes) => {
    const { KeySchema, AttributeDefinitions } = theResource<TableProperties>(type, name).Properties;
    const types = AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]);
    expect(Object.fromEntries(types)).toEqual(attributes);
    const keys = KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`);
    expect(keys).toEqual('sk' in attributes ? ['pk HASH', 'sk RANGE'] : ['pk HASH']);
  });

  it('expire items of Directory and RateCounters only', () => {
    const expiring = tables.filter(({ Properties }) => Properties.TimeToLiveSpecification);
    expect(expiring.map(({ path, Properties }) => [path, Properties.TimeToLiveSpecification])).toEqual([
      ['Directory', { AttributeName: 'ttl', Enabled: true }],
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

  it.each([
    ['by-date', 'by_date'],
    ['by-state', 'by_state'],
  ])('index %s of Invoices has what a list shows and searches, and nothing else', (name, sortKey) => {
    const indexes = theResource<TableProperties>(type, 'Invoices').Properties.LocalSecondaryIndexes ?? [];
    const index = indexes.find(({ IndexName }) => IndexName === name);
    expect(index?.KeySchema.map(({ AttributeName }) => AttributeName)).toEqual(['pk', sortKey]);
    expect(index?.Projection.ProjectionType).toBe('INCLUDE');
    expect(index?.Projection.NonKeyAttributes.toSorted()).toEqual(listedAttributes.toSorted());
  });

  it('index by-request of Declarations finds the keys of what a request wrote, and no table has another global one', () => {
    const indexes = tables.flatMap(({ path, Properties }) =>
      (Properties.GlobalSecondaryIndexes ?? []).map((index) => [path, index]),
    );
    const KeySchema = [{ AttributeName: 'request_id', KeyType: 'HASH' }];
    expect(indexes).toEqual([
      ['Declarations', { IndexName: 'by-request', KeySchema, Projection: { ProjectionType: 'KEYS_ONLY' } }],
    ]);
  });
});

/** The fields of a row but those that its key or a computation gives, and what else a declaration and a search need. */
const listedAttributes = [
  ...invoiceListData.properties.rows.items.required.filter(
    (field) => !['invoice_id', 'state_name', 'difference', 'difference_pct'].includes(field),
  ),
  'declaration_revision',
  'declared_tax_pct',
  'search_text',
];
