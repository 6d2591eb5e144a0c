import type { User } from '../domain/directory.ts';
import { attempts } from '../runtime/attempts.ts';
import { toRecord } from './directory-table.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { buildUpdate } from './dynamodb/updates.ts';
import { updateItem } from './dynamodb/writes.ts';
import { directoryKeys } from './keys.ts';

const MAX_PLAYER_IDS = 10;

/** Creates the function that adds a push-notification player id to a user. It keeps only the latest ids. */
export function createPlayerIdWriter(client: TableClient, table: string) {
  return async (tenant: string, user: User, playerId: string): Promise<void> => {
    let { playerIds } = user;
    for await (const _ of attempts()) {
      if (playerIds.includes(playerId)) return;
      // The condition fails if another login has changed the ids, or if the user was removed.
      const hasIds = playerIds.length > 0;
      const isUnchanged = hasIds ? 'player_ids = :before' : 'attribute_exists(pk) AND attribute_not_exists(player_ids)';
      const after = [...playerIds, playerId].slice(-MAX_PLAYER_IDS);
      const values = { ':after': after, ...(hasIds && { ':before': playerIds }) };
      const change = { set: ['player_ids = :after'], conditions: [isUnchanged], values };
      const update = buildUpdate(table, directoryKeys.user(tenant, user.userId), [change]);
      const { kind, current } = await updateItem(client, update);
      if (kind === 'written') return;
      const changedUser = toRecord('user', current);
      // After a conflict, a user that was erased or deactivated gets no player id.
      if (!changedUser?.isActive) return;
      playerIds = changedUser.playerIds;
    }
    throw new Error('The player ids of the user kept changing.');
  };
}
