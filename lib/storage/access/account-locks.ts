import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountLocks } from '../../admin/ports/admin-ports.ts';
import type { RegisterName } from '../../rate-limit/account-guard.ts';
import { conditionalWrite } from '../dynamodb/conditional-write.ts';
import { directoryKeys } from '../items/keys.ts';
import { type AccountFields, COUNT_FIELDS, REGISTERS, SOURCE_PREFIX } from './account-table.ts';
import { timeNames, timesIn } from './latest-times.ts';

/** The same accounts as createAccountTable; `limit`: the size of their registers. */
export function createAccountLocks(client: DynamoDBDocumentClient, table: string, limit: number): AccountLocks {
  async function readItem(tenant: string, userId: string): Promise<AccountFields> {
    const Key = directoryKeys.account(tenant, userId);
    const { Item = {} } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item;
  }
  const sourcesIn = (item: AccountFields) => Object.keys(item).filter((name) => name.startsWith(SOURCE_PREFIX));
  const registers = Object.values(REGISTERS).flatMap(({ prefix, pause }) => [...timeNames(limit, prefix), pause]);

  return {
    async read(tenant, userId) {
      const item = await readItem(tenant, userId);
      const failures = (...names: readonly RegisterName[]) =>
        names.flatMap((name) => timesIn(item, limit, REGISTERS[name].prefix).filter((timeMs) => timeMs > 0)).length;
      return {
        failures: failures('email', 'username'),
        failuresWithKey: failures('emailWithKey', 'usernameWithKey'),
        knownSources: sourcesIn(item).length,
      };
    },

    async clear(tenant, userId) {
      const sources = sourcesIn(await readItem(tenant, userId));
      // All attributes, not those that were read: a failure that comes meanwhile moves the others on.
      const names = [...registers, ...COUNT_FIELDS, ...sources].map((name, index) => [`#n${index}`, name] as const);
      const command = new UpdateCommand({
        TableName: table,
        Key: directoryKeys.account(tenant, userId),
        UpdateExpression: `REMOVE ${names.map(([alias]) => alias).join(', ')}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: Object.fromEntries(names),
      });
      await conditionalWrite(client.send(command));
    },
  };
}
