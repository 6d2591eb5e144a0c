import { describeWrite } from './directory/change-directory.ts';
import type { Recorder, Target } from './operator-record.ts';
import type { AdminPorts } from './tables/admin-ports.ts';
import { watchWrites, WHOLE_SERVICE, type WriteScope } from './tables/watch-writes.ts';

/**
 * Returns the target of a command. A write outside the scope throws an error, and `recorder` records each write. In a
 * dry run, `recorder` is null, and nothing is written.
 */
export function watchTarget(target: Target, scope: WriteScope, recorder: Recorder | null) {
  watchWrites(target.client, scope, recorder);
  return {
    ...target,
    ports: recorder ? describeWrites(target.ports, recorder) : target.ports,
    openEventBus: async () => {
      const { bus, settings } = await target.findEventBus();
      const { createEventBus, createEventClient } = await import('../../lib/events/publish-records.ts');
      const client = createEventClient(settings);
      watchWrites(client, scope, recorder);
      return createEventBus(bus, client);
    },
    /** Records the rotation explicitly, because a function writes the key without a watched client. */
    rotateSigningKey: async (options: { readonly leaked: boolean }): Promise<unknown> => {
      if (!recorder) return { outcome: 'rotated' };
      await recorder.beforeWrite(WHOLE_SERVICE);
      const result = await target.rotateSigningKey(options);
      recorder.afterWrite(WHOLE_SERVICE, { invoices: 0, events: 0, entries: ['SIGNING_KEY'] });
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
      commit: (changes) => recorder.recordChange(describeWrite(changes), () => records.commit(changes)),
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
