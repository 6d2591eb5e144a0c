import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { TableClient } from '../../../lib/tables/dynamodb/table-client.ts';
import { fromAttributeValues, toAttributeValues } from '../../../lib/tables/dynamodb/values.ts';
import type { HistoryItem } from '../../../lib/tables/history-items.ts';

/** The items of a partition that a query can find, in the order of the index, and the maximum number in its page. */
interface Readable {
  readonly items: readonly HistoryItem[];
  readonly pageItems: number;
}

/** Creates a client whose queries read pages of the index of changes. As in DynamoDB, a page can be empty. */
export function createChangeIndex(
  readPartition: (partition: string, input: QueryCommandInput) => Readable,
): TableClient {
  return {
    send: async ({ input }: { readonly input: QueryCommandInput }) => {
      const values = fromAttributeValues(input.ExpressionAttributeValues!) as Record<
        ':day' | ':start' | ':end',
        string
      >;
      const lastKey = input.ExclusiveStartKey?.['change_key']?.S ?? '';
      const { items, pageItems } = readPartition(values[':day'], input);
      const found = items.filter(
        ({ change_key: key }) => key >= values[':start'] && key <= values[':end'] && key > lastKey,
      );
      const page = found.slice(0, pageItems);
      const nextKey = found.length > pageItems && { change_key: { S: page.at(-1)?.change_key ?? lastKey } };
      return { Items: page.map(toAttributeValues), ...(nextKey && { LastEvaluatedKey: nextKey }) };
    },
  };
}
