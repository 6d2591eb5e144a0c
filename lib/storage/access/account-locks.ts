import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountLocks } from '../../admin/ports/admin-ports.ts';
import type { AccountPolicy } from '../../rate-limit/policies.ts';
import { conditionalWrite } from '../dynamodb/conditional-write.ts';
import { directoryKeys } from '../items/keys.ts';
import { failureSetName, readSet } from './account-table.ts';

/** Creates the operators' view of the failures in the items of createAccountTable. */
export function createAccountLocks(
  client: DynamoDBDocumentClient,
  table: string,
  policy: Pick<AccountPolicy, 'windowMs'>,
  clock: { now(): Date },
): AccountLocks {
  const currentSet = () => failureSetName(clock.now().getTime(), policy);
  return {
    async countFailures(tenant, userId) {
      const Key = directoryKeys.account(tenant, userId);
      const { Item = {} } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return readSet(Item, currentSet()).size;
    },

    async clearFailures(tenant, userId) {
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
