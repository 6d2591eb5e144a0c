import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { User } from '../domain/directory.ts';
import { attempts } from '../runtime/attempts.ts';
import { toRecord } from './directory-table.ts';
import { awaitConditionalWrite } from './dynamodb/writes.ts';
import { directoryKeys } from './keys.ts';

const MAX_PLAYER_IDS = 10;

/** Creates the function that adds a push-notification player id to a user. It keeps only the latest ids. */
export function createPlayerIdWriter(client: DynamoDBDocumentClient, table: string) {
  return async (tenant: string, user: User, playerId: string): Promise<void> => {
    let { playerIds } = user;
    for await (const _ of attempts()) {
      if (playerIds.includes(playerId)) return;
      // The condition fails if another login has changed the ids, or if the user was removed.
      const hasIds = playerIds.length > 0;
      const isUnchanged = hasIds ? 'player_ids = :before' : 'attribute_exists(pk) AND attribute_not_exists(player_ids)';
      const command = new UpdateCommand({
        TableName: table,
        Key: directoryKeys.user(tenant, user.userId),
        UpdateExpression: 'SET player_ids = :after',
        ConditionExpression: isUnchanged,
        ExpressionAttributeValues: {
          ':after': [...playerIds, playerId].slice(-MAX_PLAYER_IDS),
          ...(hasIds && { ':before': playerIds }),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const { kind, current } = await awaitConditionalWrite(client.send(command));
      if (kind === 'written') return;
      const changedUser = toRecord('user', current);
      // A user that was erased or deactivated meanwhile gets no player id.
      if (!changedUser?.isActive) return;
      playerIds = changedUser.playerIds;
    }
    throw new Error('The player ids of the user kept changing.');
  };
}
