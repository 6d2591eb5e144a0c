import { DynamoDBClient, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { HistoryItem } from '../../../lib/tables/history-items.ts';

/** The items of a partition that a query can find, in the order of the index, and the maximum number in its page. */
interface Readable {
  readonly items: readonly HistoryItem[];
  readonly pageItems: number;
}

/** Creates a client whose queries read pages of the index of changes. As in DynamoDB, a page can be empty. */
export function createChangeIndex(
  readPartition: (partition: string, input: QueryCommandInput) => Readable,
): DynamoDBDocumentClient {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' }));
  return Object.assign(client, {
    send: async ({ input }: { readonly input: QueryCommandInput }) => {
      const values = input.ExpressionAttributeValues as unknown as Readonly<Record<':day' | ':start' | ':end', string>>;
      const lastKey = (input.ExclusiveStartKey as { change_key?: string } | undefined)?.change_key ?? '';
      const { items, pageItems } = readPartition(values[':day'], input);
      const found = items.filter(
        ({ change_key: key }) => key >= values[':start'] && key <= values[':end'] && key > lastKey,
      );
      const page = found.slice(0, pageItems);
      const nextKey = found.length > pageItems && { change_key: page.at(-1)?.change_key ?? lastKey };
      return { Items: page, ...(nextKey && { LastEvaluatedKey: nextKey }) };
    },
  });
}
