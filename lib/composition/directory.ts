import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../runtime/env.ts';
import { createDirectoryTable, type DirectoryTable } from '../storage/directory/directory-table.ts';

/** Who exists, over the table named in the environment. */
export function directory(client: DynamoDBDocumentClient): DirectoryTable {
  return createDirectoryTable(client, tableName('DIRECTORY'));
}
