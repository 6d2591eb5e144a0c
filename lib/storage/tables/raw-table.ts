import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  type DynamoDBClient,
  ProvisionedThroughputExceededException,
  PutItemCommand,
  RequestLimitExceeded,
  ResourceNotFoundException,
  ScanCommand,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import { rounds } from '../../runtime/rounds.ts';

/** An item as a table holds it: attributes with their types, and numbers as text. */
export type RawItem = Readonly<Record<string, AttributeValue>>;

/** A table whose items are read and written as they are, whatever they mean. */
export interface RawTable {
  readonly name: string;
  /** The names of its keys; undefined if there is no such table. */
  readonly keyNames: () => Promise<readonly string[] | undefined>;
  /** All items of one of so many segments, strongly consistent, page by page. */
  readonly scan: (segment: number, segments: number) => AsyncIterable<readonly RawItem[]>;
  /** Puts an item where there is none; otherwise gives the one that is there. */
  readonly putNew: (item: RawItem) => Promise<RawItem | undefined>;
}

/** The table of this name; a call that the table refuses for its load is made again for half a minute. */
export function createRawTable(client: Pick<DynamoDBClient, 'send'>, name: string): RawTable {
  let keyNames: Promise<readonly string[] | undefined> | undefined;
  const table: RawTable = {
    name,
    keyNames: () => (keyNames ??= readKeyNames(client, name)),

    async *scan(segment, segments) {
      const input = { TableName: name, Segment: segment, TotalSegments: segments, ConsistentRead: true };
      let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
      do {
        const start = ExclusiveStartKey;
        const page = await patiently(() => client.send(new ScanCommand({ ...input, ExclusiveStartKey: start })));
        yield page.Items ?? [];
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
    },

    async putNew(item) {
      const [key = ''] = (await table.keyNames()) ?? [];
      const input = {
        TableName: name,
        Item: item,
        ConditionExpression: 'attribute_not_exists(#key)',
        ExpressionAttributeNames: { '#key': key },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      } as const;
      try {
        await patiently(() => client.send(new PutItemCommand(input)));
        return undefined;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException && error.Item) return error.Item;
        throw error;
      }
    },
  };
  return table;
}

async function readKeyNames(client: Pick<DynamoDBClient, 'send'>, name: string): Promise<string[] | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table?.KeySchema?.map(({ AttributeName = '' }) => AttributeName);
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function patiently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  let refusal: unknown;
  for await (const _ of rounds()) {
    try {
      return await call();
    } catch (error) {
      if (!isForLoad(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

function isForLoad(error: unknown): boolean {
  return [ProvisionedThroughputExceededException, ThrottlingException, RequestLimitExceeded].some(
    (type) => error instanceof type,
  );
}
