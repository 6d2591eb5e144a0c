import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DeleteResourcePolicyCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetResourcePolicyCommand,
  PolicyNotFoundException,
  PutResourcePolicyCommand,
} from '@aws-sdk/client-dynamodb';

/** The mark of our policy: a table can have one, and it may be somebody else's. */
const STATEMENT_ID = 'FrozenWhileItIsCopied';
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map((action) => `dynamodb:${action}`);

/** A table that nobody may write to while its policy denies it. */
export interface TableFreeze {
  /** `other`: the table has a policy of somebody else's. */
  readonly state: () => Promise<'frozen' | 'open' | 'other'>;
  /** Denies every write, whoever asks for it. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => Promise<void>;
  /** Whether a write that would change nothing is denied by now. */
  readonly isDenied: () => Promise<boolean>;
}

/** Freezes the table of this name by its resource policy, which AWS alone knows. */
export function createTableFreeze(client: Pick<DynamoDBClient, 'send'>, name: string): TableFreeze {
  const describe = async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableArn === undefined) throw new Error(`The table ${name} has no ARN.`);
    return { ...Table, TableArn: Table.TableArn };
  };
  return {
    async state() {
      try {
        const { TableArn } = await describe();
        const { Policy = '' } = await client.send(new GetResourcePolicyCommand({ ResourceArn: TableArn }));
        return Policy.includes(STATEMENT_ID) ? 'frozen' : 'other';
      } catch (error) {
        if (error instanceof PolicyNotFoundException) return 'open';
        throw error;
      }
    },

    async freeze() {
      const { TableArn } = await describe();
      const statement = { Sid: STATEMENT_ID, Effect: 'Deny', Principal: '*', Action: WRITES, Resource: TableArn };
      const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
      await client.send(new PutResourcePolicyCommand({ ResourceArn: TableArn, Policy }));
    },

    async thaw() {
      const { TableArn } = await describe();
      await client.send(new DeleteResourcePolicyCommand({ ResourceArn: TableArn }));
    },

    async isDenied() {
      const { KeySchema = [], AttributeDefinitions = [] } = await describe();
      const names = KeySchema.map(({ AttributeName = '' }) => AttributeName);
      const typeOf = (key: string) => AttributeDefinitions.find((one) => one.AttributeName === key)?.AttributeType;
      const Key = Object.fromEntries(names.map((key) => [key, typeOf(key) === 'N' ? { N: '0' } : { S: '#nothing' }]));
      // There is no item of this key, so the write fails, one way or the other.
      const probe = { TableName: name, Key, ConditionExpression: 'attribute_exists(#key)' };
      try {
        await client.send(new DeleteItemCommand({ ...probe, ExpressionAttributeNames: { '#key': names[0] ?? '' } }));
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        if (error instanceof Error && error.name === 'AccessDeniedException') return true;
        throw error;
      }
      throw new Error(`The table ${name} had an item where none can be.`);
    },
  };
}
