import { DeleteCommand, type DynamoDBDocumentClient, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { DirectoryRecord, EntityKind, RecordKind } from '../../../lib/domain/directory-fields.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import {
  type Attributes,
  batchGet,
  createKeyLookup,
  type Key,
  buildPartitionCondition,
  buildPrefixCondition,
  queryPages,
  scanPages,
} from '../../../lib/tables/dynamodb/reads.ts';
import { fromDecimals, toDecimals } from '../../../lib/tables/dynamodb/values.ts';
import { sendTransaction } from '../../../lib/tables/dynamodb/transactions.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { buildRecordWrite, type RecordChange, type RecordKey } from './record-write.ts';

export type { RecordChange, RecordKey } from './record-write.ts';

const PARALLEL_DELETES = 16;

/** Returns the functions that build the keys of the records of a tenant. */
export function keysIn(tenant: string) {
  const build = <Kind extends RecordKind>(kind: Kind, id: string, key: Key) => ({ kind, tenant, id, ...key });
  return {
    tenant: build('tenant', tenant, directoryKeys.tenant(tenant)),
    company: (id: string) => build('company', id, directoryKeys.company(tenant, id)),
    supplier: (id: string) => build('supplier', id, directoryKeys.supplier(tenant, id)),
    user: (id: string) => build('user', id, directoryKeys.user(tenant, id)),
    login: (name: string) => build('login', name, directoryKeys.login(tenant, name)),
    account: (userId: string) => build('account', userId, directoryKeys.account(tenant, userId)),
    apiKey: (hash: string) => build('api_key', hash, directoryKeys.apiKey(hash)),
    apiKeyName: (company: string, name: string) =>
      build('apiKeyName', name, directoryKeys.apiKeyName(tenant, company, name)),
    listedApiKey: (hash: string) => build('listedApiKey', hash, directoryKeys.listedApiKey(tenant, hash)),
  };
}

export type ListedKind = 'company' | 'supplier' | 'user' | 'api_key';

/** A record of a list. An API key also has its hash, which identifies it. */
export type ListedRecord<Kind extends ListedKind> = DirectoryRecord<Kind> &
  (Kind extends 'api_key' ? { readonly key_hash: string } : unknown);

export type DirectoryRecords = ReturnType<typeof createDirectoryRecords>;

/** Creates the repository of the table Directory. Its reads are strongly consistent. */
export function createDirectoryRecords(client: DynamoDBDocumentClient, table: string) {
  /** Reads the records of distinct keys, in the order of the keys. A record that does not exist is null. */
  async function read<Kind extends RecordKind>(keys: readonly RecordKey<Kind>[]) {
    const itemKeys = keys.map(({ pk, sk }) => ({ pk, sk }));
    const findItem = createKeyLookup(await batchGet<Key & Attributes>(client, table, itemKeys));
    return itemKeys.map((key) => (toDecimals(findItem(key)) as DirectoryRecord<Kind> | undefined) ?? null);
  }

  /** Reads the API keys of a tenant, by company, name and start of their validity. */
  async function readApiKeys(tenant: string): Promise<ListedRecord<'api_key'>[]> {
    const pages = readItems('listedApiKey', tenant) as AsyncIterable<DirectoryRecord<'listedApiKey'>[]>;
    const hashes = (await collectPages(pages)).map((listed) => listed.key_hash);
    const records = await read(hashes.map(keysIn(tenant).apiKey));
    const apiKeys = records.flatMap((key, index) => (key ? [{ ...key, key_hash: hashes[index] as string }] : []));
    const toSortText = (key: DirectoryRecord<'api_key'>) => [key.company_id, key.name, key.valid_from].join('\n');
    return apiKeys.toSorted((a, b) => toSortText(a).localeCompare(toSortText(b), 'en', { numeric: true }));
  }

  /** Yields the items of a kind, whose sort keys begin with the name of the kind, such as `USER#`. */
  function readItems(kind: Exclude<ListedKind, 'api_key'> | 'listedApiKey', tenant: string) {
    const prefix = directoryKeys[kind](tenant, '');
    return queryPages<Attributes>(client, { TableName: table, ...buildPrefixCondition(prefix) });
  }

  return {
    read,

    /** Yields all tenants, page by page in any order. This scans the whole table. */
    async *tenants() {
      // Each tenant has separate partitions, and no index lists the tenants. The policy for operators allows only a
      // scan of these attributes (see TABLE_PARTS in infra/routes.ts).
      const scan: ScanCommandInput = {
        TableName: table,
        FilterExpression: 'sk = :tenant',
        Select: 'SPECIFIC_ATTRIBUTES',
        ProjectionExpression: '#tenant, #tolerance',
        ExpressionAttributeNames: { '#tenant': 'tenant', '#tolerance': 'tolerance' },
        ExpressionAttributeValues: { ':tenant': directoryKeys.tenant('').sk },
      };
      for await (const items of scanPages(client, scan)) {
        yield items.map((item) => toDecimals(item) as DirectoryRecord<'tenant'>);
      }
    },

    /** Yields the records of a kind of a tenant: API keys in one page, other records page by page by their ids. */
    async *pages<Kind extends ListedKind>(kind: Kind, tenant: string): AsyncGenerator<ListedRecord<Kind>[]> {
      if (kind === 'api_key') {
        yield (await readApiKeys(tenant)) as ListedRecord<Kind>[];
        return;
      }
      for await (const items of readItems(kind, tenant)) {
        yield items.map((item) => toDecimals(item) as ListedRecord<Kind>);
      }
    },

    /** Deletes all records of a tenant: first the keys and accounts that the others refer to, and the tenant last. */
    async deleteTenant(tenant: string): Promise<void> {
      const condition = buildPartitionCondition(directoryKeys.company(tenant, '').pk);
      const items = await collectPages(queryPages<TenantItem>(client, { TableName: table, ...condition }));
      const referredKeys = items.flatMap((item) => listReferredKeys(tenant, item));
      for (const keys of [referredKeys, items, [directoryKeys.tenant(tenant)]]) {
        await forEachConcurrent(keys, PARALLEL_DELETES, async ({ pk, sk }) => {
          await client.send(new DeleteCommand({ TableName: table, Key: { pk, sk } }));
        });
      }
    },

    /** Writes a change and its related ones. Returns false and writes nothing if a record is not as it was read. */
    async commit(entity: RecordChange<EntityKind>, relatedChanges: readonly RecordChange[] = []): Promise<boolean> {
      const writes = [entity, ...relatedChanges].map((change) =>
        buildRecordWrite(table, fromDecimals(change) as RecordChange),
      );
      const outcome = await sendTransaction(client, { TransactItems: writes });
      return outcome.kind === 'committed';
    },
  };
}

/** An item in the partition of a tenant. Users and API keys refer to items of other partitions. */
type TenantItem = Key & { readonly user_id?: string; readonly key_hash?: string };

function listReferredKeys(tenant: string, { sk, user_id: userId, key_hash: hash }: TenantItem): Key[] {
  if (sk.startsWith('USER#') && userId) return [directoryKeys.account(tenant, userId)];
  if (sk.startsWith('KEY#') && hash) return [directoryKeys.apiKey(hash)];
  return [];
}
