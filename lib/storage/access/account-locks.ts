import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountPolicy } from '../../rate-limit/policies.ts';
import { conditionalWrite } from '../dynamodb/conditional-write.ts';
import { directoryKeys } from '../items/keys.ts';
import { failureSetName, readSet } from './account-table.ts';

/** Creates the repository of the failed logins by which an account is locked for sources that it does not trust. */
export function createAccountLocks(
  client: DynamoDBDocumentClient,
  table: string,
  policy: Pick<AccountPolicy, 'windowMs'>,
  clock: { now(): Date },
) {
  const currentSet = () => failureSetName(clock.now().getTime(), policy);
  return {
    /** Counts the failures of the current window, strongly consistent. */
    async countFailures(tenant: string, userId: string) {
      const Key = directoryKeys.account(tenant, userId);
      const { Item = {} } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return readSet(Item, currentSet()).size;
    },

    /** Clears the failures of the current window. */
    async clearFailures(tenant: string, userId: string) {
      const command = new UpdateCommand({
        TableName: table,
        Key: directoryKeys.account(tenant, userId),
        UpdateExpression: `REMOVE ${currentSet()}`,
        ConditionExpression: 'attribute_exists(pk)',
      });
      await conditionalWrite(client.send(command));
    },
  };
}
