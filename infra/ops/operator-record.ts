import { isDeepStrictEqual } from 'node:util';
import type { Command } from '@commander-js/extra-typings';
import { systemClock } from '../../lib/runtime/clock.ts';
import { newUuid } from '../../lib/runtime/ids.ts';
import { type ChangeResult, describeWrite } from './directory/change-directory.ts';
import type { ExitCode } from './operator-errors.ts';
import type { OperatorEntry } from './tables/operator-entries.ts';
import type { openLocalTarget } from './targets/local-target.ts';

export type Target = Awaited<ReturnType<typeof openLocalTarget>>;

/** The tenant in the entries of commands that change the whole service. It is not a domain, so no tenant has this name. */
export const WHOLE_SERVICE = '*';

/** A command as it was called. Its arguments never contain a secret, and standard input is not included. */
export type CommandCall = Pick<OperatorEntry, 'tenant' | 'command' | 'arguments' | 'reason' | 'by'>;

/**
 * Describes a command that was parsed from `args`. An e-mail or username is replaced, because `erase-user` could not
 * remove it. The changes of the entry contain the id of the user.
 */
export function describeCall(command: Command<unknown[]>, [name = '', ...args]: readonly string[]): CommandCall {
  const { reason, by, ...options } = command.opts() as Partial<Record<string, string>>;
  const getArgument = (argumentName: string) =>
    command.args[command.registeredArguments.findIndex((argument) => argument.name() === argumentName)];
  const tenant = options['tenant'] ?? getArgument('tenant') ?? WHOLE_SERVICE;
  const user = getArgument('user') ?? '';
  const isPersonal = (arg: string) => arg === user && !/^\d+$/.test(arg);
  return { tenant, command: name, arguments: args.map((arg) => (isPersonal(arg) ? '<user>' : arg)), reason, by };
}

/**
 * Runs a write for a tenant, with the id of the command. The write was successful if it returns `success`, and then has
 * written `size` items. A write of the directory passes its `change`.
 */
type OnWrite = <Result>(
  tenant: string,
  write: (commandId: string) => Promise<Result>,
  success: Result,
  size: number,
  change?: ChangeResult,
) => Promise<Result>;

/** Returns a target whose writes run through `onWrite`. Events belong to the tenant of the command. */
export function interceptWrites(target: Target, commandTenant: string, onWrite: OnWrite): Target {
  const { records, accountLocks, ...ports } = target.ports;
  return {
    ...target,
    ports: {
      ...ports,
      records: {
        ...records,
        commit(changes) {
          const change = describeWrite(changes);
          return onWrite(change.tenant, () => records.commit(changes), true, 1, change);
        },
        deleteTenant: (tenant) => onWrite(tenant, () => records.deleteTenant(tenant), undefined, 1),
      },
      accountLocks: {
        ...accountLocks,
        clearFailures(tenant, id) {
          const change = { kind: 'user', tenant, user_id: id, outcome: 'changed', changes: [] } as const;
          return onWrite(tenant, () => accountLocks.clearFailures(tenant, id), undefined, 1, change);
        },
      },
      commit: (scope, changes) =>
        onWrite(scope.tenant, (id) => ports.commit(scope, changes, id), { kind: 'committed' }, changes.length),
      eraseInvoice: (scope, item) => onWrite(scope.tenant, () => ports.eraseInvoice(scope, item), true, 1),
    },
    async openEventBus() {
      const putEvents = await target.openEventBus();
      return (entries) => {
        const accepted = entries.map(() => null);
        return onWrite(commandTenant, () => putEvents(entries), accepted, entries.length);
      };
    },
    rotateSigningKey: (options) =>
      onWrite(WHOLE_SERVICE, () => target.rotateSigningKey(options), { outcome: 'rotated' }, 1),
  };
}

interface Run {
  entry?: Promise<OperatorEntry>;
  items: number;
  changes: readonly string[];
}

const STATUSES = { 0: 'done', 1: 'rejected', 2: 'rejected', 3: 'failed', 130: 'interrupted' } as const;

/** The maximum size of the changes in an entry. An item of DynamoDB has at most 400 KB. */
const MAX_CHANGES_BYTES = 100_000;

/**
 * Returns a target that adds an entry to the operator record before its first write for each tenant. If the entry cannot
 * be added, nothing is written. `beforeWrite` runs before, and can reject. `complete` completes the entries after the
 * command.
 */
export function recordWrites(target: Target, call: CommandCall, beforeWrite: () => Promise<void>) {
  const { operatorEntries } = target.ports;
  const runs = new Map<string, Run>();

  async function addEntry(tenant: string, changes: readonly string[]): Promise<OperatorEntry> {
    await beforeWrite();
    const author = { ...call, tenant, operator: await target.operator() };
    const start = { time: systemClock.now().toISOString(), id: newUuid(), status: 'started', items: 0 } as const;
    const entry = { ...author, ...start, changes };
    await operatorEntries.write(entry);
    return entry;
  }

  const onWrite: OnWrite = async (tenant, write, success, size, change) => {
    const run: Run = runs.get(tenant) ?? { items: 0, changes: [] };
    runs.set(tenant, run);
    const { changes } = run;
    if (change) run.changes = limitSize([...changes, JSON.stringify(change)]);
    const { id } = await (run.entry ??= addEntry(tenant, run.changes));
    const result = await write(id);
    if (isDeepStrictEqual(result, success)) run.items += size;
    // After a conflict, the command plans the change again.
    else run.changes = changes;
    return result;
  };

  return {
    target: interceptWrites(target, call.tenant, onWrite),
    async complete(exitCode: ExitCode): Promise<void> {
      for (const { entry: started, items, changes } of runs.values()) {
        const entry = await started?.catch(() => null);
        const end = { status: STATUSES[exitCode], ended_at: systemClock.now().toISOString(), items, changes };
        if (entry) await operatorEntries.write({ ...entry, ...end });
      }
    },
  };
}

/** Removes the last change if the changes are too large for an entry. */
function limitSize(changes: readonly string[]): readonly string[] {
  return Buffer.byteLength(changes.join('')) > MAX_CHANGES_BYTES ? changes.slice(0, -1) : changes;
}
