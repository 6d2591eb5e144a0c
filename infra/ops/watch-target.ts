import { buildResult, type ChangeResult, type DirectoryChange, findDifferences } from './directory/change-result.ts';
import type { Recorder } from './operator-record.ts';
import type { AdminPorts } from './tables/admin-ports.ts';
import { watchWrites, WHOLE_SERVICE, type WriteScope } from './tables/watch-writes.ts';
import type { Target } from './targets/target.ts';

// The values of these properties are not recorded, because `erase-user` could not remove them.
const PERSONAL_PROPERTIES = new Set(['email', 'username', 'player_ids']);

/** Returns a target that records each write, and rejects writes outside the scope. A dry run has no recorder. */
export function watchTarget(target: Target, scope: WriteScope, recorder: Recorder | null) {
  watchWrites(target.client, scope, recorder);
  return {
    ...target,
    ports: recorder ? describeWrites(target.ports, recorder) : target.ports,
    /** Records the rotation explicitly, because a function writes the key without a watched client. */
    rotateSigningKey: async (options: { readonly leaked: boolean }): Promise<unknown> => {
      if (!recorder) return { outcome: 'rotated' };
      await recorder.beforeWrite(WHOLE_SERVICE);
      const result = await target.rotateSigningKey(options);
      recorder.afterWrite(WHOLE_SERVICE, { invoices: 0, entries: ['SIGNING_KEY'] });
      return result;
    },
  };
}

/** Returns ports that add the id of the command to invoices, and describe the changes of Directory. */
function describeWrites(ports: AdminPorts, recorder: Recorder): AdminPorts {
  const { commit, records, accountLocks } = ports;
  return {
    ...ports,
    commit: (scope, changes) => commit(scope, changes, recorder.commandId),
    records: {
      ...records,
      commit(entity, relatedChanges = []) {
        const result = describeWrite({ entity, relatedChanges });
        return recorder.recordChange(result, () => records.commit(entity, relatedChanges));
      },
    },
    accountLocks: {
      ...accountLocks,
      clearFailures(tenant, id) {
        const change = { kind: 'user', tenant, user_id: id, outcome: 'changed', changes: [] } as const;
        return recorder.recordChange(change, () => accountLocks.clearFailures(tenant, id));
      },
    },
  };
}

/** Describes a write for the operator record, with all properties of an entity that it creates. */
function describeWrite(change: DirectoryChange): ChangeResult {
  const { email: _personalValue, ...result } = buildResult(change);
  // A replaced record is compared by few of its properties, so the others would look like changes.
  if (change.entity.replacesRecord) return { ...result, changes: [] };
  const changes = findDifferences(change).map((difference) => {
    const { property } = difference;
    return PERSONAL_PROPERTIES.has(property) ? { property } : difference;
  });
  return { ...result, changes };
}
