import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DirectoryLists } from '../../admin/ports/admin-ports.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { byKey, type Key } from '../dynamodb/key.ts';
import { beginningWith, itemsOf, queryPages, scanPages } from '../dynamodb/paged-items.ts';
import { type DirectoryItems, readDirectoryItem, readIssuedApiKey } from '../items/directory-items.ts';
import { directoryKeys } from '../items/keys.ts';

/**
 * The items of all tenants, page by page, strongly consistent. It reads the whole table: each tenant is a partition of
 * its own, and nothing lists them.
 */
export function scanTenants(client: DynamoDBDocumentClient, TableName: string) {
  return scanPages<DirectoryItems['tenant']>(client, {
    TableName,
    FilterExpression: 'sk = :tenant',
    ExpressionAttributeValues: { ':tenant': directoryKeys.tenant('').sk },
  });
}

/** The lists in Directory, strongly consistent. */
export function createDirectoryLists(client: DynamoDBDocumentClient, table: string): DirectoryLists {
  const listFrom = <Item>(key: Key) => itemsOf(queryPages<Item>(client, { TableName: table, ...beginningWith(key) }));

  return {
    async tenants() {
      return (await itemsOf(scanTenants(client, table))).map(({ tenant }) => tenant);
    },

    async suppliers(tenant) {
      const items = await listFrom<DirectoryItems['supplier']>(directoryKeys.supplier(tenant, ''));
      return items.map(readDirectoryItem.supplier);
    },

    async users(tenant) {
      const items = await listFrom<DirectoryItems['user']>(directoryKeys.user(tenant, ''));
      return items.map(readDirectoryItem.user);
    },

    async apiKeys(tenant) {
      const pointers = await listFrom<DirectoryItems['listedApiKey']>(directoryKeys.listedApiKey(tenant, ''));
      const keys = pointers.map(({ key_hash: hash }) => directoryKeys.apiKey(hash));
      const items = await batchGet<Key & DirectoryItems['apiKey']>(client, table, keys);
      const find = byKey(items);
      return pointers.flatMap(({ key_hash: hash }) => {
        const item = find(directoryKeys.apiKey(hash));
        return item ? [readIssuedApiKey(hash, item)] : [];
      });
    },
  };
}
