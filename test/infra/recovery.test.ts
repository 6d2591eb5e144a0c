import { describe, expect, it } from 'vitest';
import { everyOption, getVariant, prodOptions, recoveryOptions } from '../support/stack/stack-variants.ts';

interface TableProperties {
  readonly Replicas: readonly { readonly Region: string }[];
  readonly StreamSpecification?: object;
}

interface FunctionProperties {
  readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
}

interface Reference {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [id: string, attribute: string];
  readonly 'Fn::Join'?: readonly ['', readonly unknown[]];
}

const tableType = 'AWS::DynamoDB::GlobalTable';
const recoverableTables = ['Directory', 'Invoices', 'Declarations'] as const;
const { replicaRegion, ...existingTables } = recoveryOptions;

describe('with the option replicaRegion', async () => {
  const stack = await getVariant({ stage: 'prod', ...everyOption, replicaRegion });
  const tables = stack.findResources<TableProperties>(tableType);

  it('Directory, Invoices and Declarations have a replica, and RateCounters and SigningKeys have none', () => {
    const rows = tables.map(({ path, Properties: { Replicas } }) => [path, ...Replicas.map(({ Region }) => Region)]);
    expect(rows).toEqual([
      ...recoverableTables.map((table) => [table, replicaRegion, prodOptions.region]),
      ['RateCounters', prodOptions.region],
      ['SigningKeys', prodOptions.region],
    ]);
  });

  it.each(recoverableTables)('the replica of %s has the settings of its table', (name) => {
    const { Properties } = stack.getResource<TableProperties>(tableType, name);
    const [{ Region: _, ...replica } = {}, { Region: __, ...table } = {}] = Properties.Replicas;
    expect(replica).toEqual(table);
    expect(replica).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      Tags: expect.arrayContaining([{ Key: 'stage', Value: 'prod' }]),
    });
    // Without the id of a key, the replica is encrypted with the key of DynamoDB in its region.
    expect(replica).not.toHaveProperty('SSESpecification');
    expect(Properties).toMatchObject({
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    });
  });

  it('a replica changes no other resource and no permission, and cdk-nag finds no violation', async () => {
    const without = await getVariant({ stage: 'prod', ...everyOption });
    const listOthers = ({ resources }: typeof stack) => resources.filter(({ type }) => type !== tableType);
    expect(listOthers(stack)).toEqual(listOthers(without));
    expect(stack.brokenRules).toEqual([]);
  });
});

describe('with the option tables', async () => {
  const stack = await getVariant({ stage: 'prod', ...everyOption, ...existingTables });
  const without = await getVariant({ stage: 'prod', ...everyOption });

  it('the stack creates only the tables that the option does not name', () => {
    expect(stack.findResources(tableType).map(({ path }) => path)).toEqual(['RateCounters', 'SigningKeys']);
    expect(stack.brokenRules).toEqual([]);
  });

  it('the outputs and the functions have the names of the existing tables', () => {
    for (const name of recoverableTables)
      expect(stack.outputs[`${name}Table`]).toMatchObject({ Value: `${name}-restored` });
    const { Properties } = stack.getResource<FunctionProperties>('AWS::Lambda::Function', 'declare-invoice');
    expect(Properties.Environment?.Variables).toMatchObject({
      DIRECTORY_TABLE: 'Directory-restored',
      INVOICES_TABLE: 'Invoices-restored',
      DECLARATIONS_TABLE: 'Declarations-restored',
    });
  });

  it.each(['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::Lambda::EventSourceMapping'])(
    'every %s is the same as without the option, with the existing tables, their indexes and their stream',
    (type) => {
      const resources = stack.findResources(type).map(({ Properties }) => Properties);
      expect(resources).toEqual(without.findResources(type).map(({ Properties }) => toExistingTables(Properties)));
    },
  );

  it('the alarms of tables measure the existing tables', () => {
    const listTableAlarms = ({ findResources }: typeof stack) =>
      findResources('AWS::CloudWatch::Alarm')
        .map(({ Properties }) => Properties)
        .filter((properties) => JSON.stringify(properties).includes('"TableName"'));
    expect(listTableAlarms(stack)).toHaveLength(5);
    expect(listTableAlarms(stack)).toEqual(listTableAlarms(without).map(toExistingTables));
  });

  /** Replaces the references to the tables of `without` with the names and ARNs of the existing tables. */
  function toExistingTables(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(toExistingTables);
    if (typeof value !== 'object' || value === null) return value;
    const replaced = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toExistingTables(part)]));
    const { Ref: id, 'Fn::GetAtt': [ownerId, attribute] = [], 'Fn::Join': [, parts] = [] } = replaced as Reference;
    const table = recoverableTables.find((name) => without.getResource(tableType, name).id === (id ?? ownerId));
    if (table && id) return `${table}-restored`;
    if (table && attribute === 'StreamArn') return existingTables.tables.DeclarationsStream;
    if (table) return `arn:aws:dynamodb:${prodOptions.region}:${prodOptions.account}:table/${table}-restored`;
    return parts?.every((part) => typeof part === 'string') ? parts.join('') : replaced;
  }
});
