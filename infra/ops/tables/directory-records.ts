import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DirectoryRecord, EntityKind, RecordKind } from '../../../lib/domain/directory-fields.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import {
  batchGet,
  createKeyLookup,
  type Key,
  buildPrefixCondition,
  queryPages,
  scanPages,
} from '../../../lib/tables/dynamodb/reads.ts';
import { buildUpdate, type UpdatePart, sendTransaction } from '../../../lib/tables/dynamodb/writes.ts';
import { toDecimals, fromDecimals } from '../../../lib/tables/dynamodb/values.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import type { Attributes } from '../../../lib/tables/stored-fields.ts';

/** The key of a record: its kind, and the ids that it is found by. */
export interface RecordKey<Kind extends RecordKind = RecordKind> {
  readonly kind: Kind;
  readonly ids: readonly string[];
}

/** Returns the functions that build the keys of the records of a tenant. */
export function keysIn(tenant: string) {
  return {
    tenant: buildKey('tenant', tenant),
    company: (id: string) => buildKey('company', tenant, id),
    supplier: (id: string) => buildKey('supplier', tenant, id),
    user: (id: string) => buildKey('user', tenant, id),
    login: (name: string) => buildKey('login', tenant, name.toLowerCase()),
    account: (userId: string) => buildKey('account', tenant, userId),
    apiKey: (hash: string) => buildKey('api_key', hash),
    apiKeyName: (companyId: string, name: string) => buildKey('apiKeyName', tenant, companyId, name),
    listedApiKey: (hash: string) => buildKey('listedApiKey', tenant, hash),
  } as const;
}

/** Returns the key of an entity that its own id identifies, from a record or an entry. */
export function toEntityKey<Kind extends Exclude<EntityKind, 'api_key'>>(
  kind: Kind,
  tenant: string,
  value: Attributes,
) {
  return kind === 'tenant' ? buildKey(kind, tenant) : buildKey(kind, tenant, String(value[`${kind}_id`]));
}

function buildKey<Kind extends RecordKind>(kind: Kind, ...ids: readonly string[]): RecordKey<Kind> {
  return { kind, ids };
}

export function toKeyText({ kind, ids }: RecordKey): string {
  return [kind, ...ids].join('\n');
}

export type ListedKind = 'company' | 'supplier' | 'user' | 'api_key';

/** A record of a list. The hash of an API key identifies it. */
export type ListedRecord<Kind extends ListedKind> = DirectoryRecord<Kind> &
  (Kind extends 'api_key' ? { readonly key_hash: string } : unknown);

/**
 * The change of a record from `before` (null: it is absent) to `after` (null: it is deleted); without `after`, the
 * record is only compared with `before`. Attributes that neither contains keep their values.
 */
export interface RecordChange<Kind extends RecordKind = RecordKind> {
  readonly key: RecordKey<Kind>;
  readonly before: Attributes | null;
  readonly after?: Attributes | null;
}

export type DirectoryRecords = ReturnType<typeof createDirectoryRecords>;

export function createDirectoryRecords(client: DynamoDBDocumentClient, table: string) {
  /** Reads the records of any number of distinct keys, in their order, strongly consistent; null: no record. */
  async function read<Kind extends RecordKind>(keys: readonly RecordKey<Kind>[]) {
    const itemKeys = keys.map(toItemKey);
    const item = createKeyLookup(await batchGet<Key & Attributes>(client, table, itemKeys));
    return itemKeys.map((key) => (toDecimals(item(key)) as DirectoryRecord<Kind> | undefined) ?? null);
  }

  /** Reads the API keys that the records of a tenant list, by company and name. */
  async function readApiKeys(tenant: string, listed: readonly DirectoryRecord<'listedApiKey'>[]) {
    const stored = await read(listed.map(({ key_hash: hash }) => keysIn(tenant).apiKey(hash)));
    const order = ({ company_id: id, name, valid_from: from }: ListedRecord<'api_key'>) => [id, name, from].join('\n');
    return stored
      .flatMap((key, index) => (key ? [{ ...key, key_hash: listed[index]?.key_hash ?? '' }] : []))
      .toSorted((a, b) => order(a).localeCompare(order(b), 'en', { numeric: true }));
  }

  return {
    read,

    /** Reads all tenants, page by page in any order; this scans the whole table. */
    async *tenants() {
      // Each tenant has separate partitions, and no index lists the tenants.
      const scan = {
        TableName: table,
        FilterExpression: 'sk = :tenant',
        ExpressionAttributeValues: { ':tenant': directoryKeys.tenant('').sk },
      };
      for await (const items of scanPages(client, scan)) {
        yield items.map((item) => toDecimals(item) as DirectoryRecord<'tenant'>);
      }
    },

    /**
     * Reads all records of a kind of a tenant, page by page, strongly consistent: API keys in one page, by company and
     * name, other records by their ids as texts.
     */
    async *pages<Kind extends ListedKind>(kind: Kind, tenant: string): AsyncGenerator<ListedRecord<Kind>[]> {
      const prefix = toItemKey({ kind: kind === 'api_key' ? 'listedApiKey' : kind, ids: [tenant, ''] });
      const pages = queryPages<Attributes>(client, { TableName: table, ...buildPrefixCondition(prefix) });
      if (kind === 'api_key') {
        const listed = (await collectPages(pages)) as unknown as DirectoryRecord<'listedApiKey'>[];
        yield (await readApiKeys(tenant, listed)) as unknown as ListedRecord<Kind>[];
      } else for await (const items of pages) yield items.map((item) => toDecimals(item) as ListedRecord<Kind>);
    },

    /** Writes all changes; returns false and writes nothing if a record is no longer as it was read. */
    async commit(changes: readonly RecordChange[]) {
      const writes = changes.map(({ key, ...states }) =>
        toWrite(table, toItemKey(key), fromDecimals(states) as typeof states),
      );
      return (await sendTransaction(client, { TransactItems: writes })).kind === 'committed';
    },
  };
}

function toItemKey({ kind, ids }: RecordKey): Key {
  const toKey: (...parts: string[]) => Key = directoryKeys[kind === 'api_key' ? 'apiKey' : kind];
  return toKey(...ids);
}

/** Builds the write of a transaction that changes an item, on the condition that it equals `before`. */
function toWrite(TableName: string, key: Key, { before, after }: Pick<RecordChange, 'before' | 'after'>) {
  if (!before) {
    const absent = { TableName, ConditionExpression: 'attribute_not_exists(pk)' };
    return after ? { Put: { ...absent, Item: { ...key, ...after } } } : { ConditionCheck: { ...absent, Key: key } };
  }
  const parts = Object.keys({ ...before, ...after }).map((name, index): UpdatePart => {
    const [alias, was, becomes] = [`#n${index}`, `:b${index}`, `:a${index}`];
    const isSet = after?.[name] !== undefined;
    return {
      names: { [alias]: name },
      conditions: [before[name] === undefined ? `attribute_not_exists(${alias})` : `${alias} = ${was}`],
      ...(isSet ? { set: [`${alias} = ${becomes}`] } : { remove: [alias] }),
      values: { ...(before[name] !== undefined && { [was]: before[name] }), ...(isSet && { [becomes]: after[name] }) },
    };
  });
  const { UpdateExpression, ReturnValuesOnConditionCheckFailure: _, ...condition } = buildUpdate(TableName, key, parts);
  if (after) return { Update: { ...condition, UpdateExpression } };
  return after === null ? { Delete: condition } : { ConditionCheck: condition };
}
