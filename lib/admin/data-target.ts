import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Where the data of an installation are. */
export interface DataTarget {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'Directory' | 'Invoices' | 'Declarations', string>>;
}
