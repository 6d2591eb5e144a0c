import type { Command } from '@commander-js/extra-typings';
import { systemClock } from '../../lib/runtime/clock.ts';
import { newUuid } from '../../lib/runtime/ids.ts';
import { type ChangeResult, describeWrite } from './directory/change-directory.ts';
import type { ExitCode } from './operator-errors.ts';
import type { AdminPorts } from './tables/admin-ports.ts';
import type { OperatorEntry } from './tables/operator-entries.ts';
import type { openLocalTarget } from './targets/local-target.ts';
import { watchWrites, WHOLE_SERVICE, type WriteScope, type WrittenItems } from './tables/watch-writes.ts';

export type Target = Awaited<ReturnType<typeof openLocalTarget>>;

/** A command as it was called, and the data that it is allowed to write. */
interface CommandCall {
  /** The arguments never contain a secret, and standard input is not included. */
  readonly description: Pick<OperatorEntry, 'command' | 'arguments' | 'reason' | 'by'>;
  readonly scope: WriteScope;
}

/**
 * Describes a command that was parsed from `args`. An e-mail or username is replaced, because `erase-user` could not
 * remove it. The changes of the entry contain the id of the user.
 */
export function describeCall(command: Command<unknown[]>, [name = '', ...args]: readonly string[]): CommandCall {
  const { reason, by, ...options } = command.opts() as Partial<Record<string, string>>;
  const getArgument = (argumentName: string) =>
    command.args[command.registeredArguments.findIndex((argument) => argument.name() === argumentName)];
  const findValue = (valueName: string) => options[valueName] ?? getArgument(valueName);
  const user = getArgument('user') ?? '';
  const isPersonal = (arg: string) => arg === user && !/^\d+$/.test(arg);
  return {
    description: { command: name, arguments: args.map((arg) => (isPersonal(arg) ? '<user>' : arg)), reason, by },
    scope: { tenant: findValue('tenant') ?? WHOLE_SERVICE, supplierId: findValue('supplier') },
  };
}

/** The part of an entry that the writes of a command for one tenant fill. */
interface Run {
  entry?: Promise<OperatorEntry>;
  invoicesAndEvents: number;
  readonly directoryEntries: Set<string>;
  readonly changes: Set<string>;
}

const STATUSES = { 0: 'done', 1: 'rejected', 2: 'rejected', 3: 'failed', 130: 'interrupted' } as const;

/** The maximum size of the changes in an entry. An item of DynamoDB has at most 400 KB. */
const MAX_CHANGES_BYTES = 100_000;

export type Recorder = ReturnType<typeof createRecorder>;

/**
 * Creates the recorder of a command. It adds an entry to the operator record before the first write for each tenant. If
 * the entry cannot be added, nothing is written. `openGate` runs before, and can reject.
 */
export function createRecorder(target: Target, { description }: CommandCall, openGate: () => Promise<void>) {
  const { operatorEntries } = target.ports;
  const runs = new Map<string, Run>();
  const commandId = newUuid();

  function getRun(tenant: string): Run {
    const run = runs.get(tenant) ?? { invoicesAndEvents: 0, directoryEntries: new Set(), changes: new Set() };
    runs.set(tenant, run);
    return run;
  }

  async function addEntry(tenant: string, { changes }: Run): Promise<OperatorEntry> {
    await openGate();
    const author = { ...description, tenant, operator: await target.operator() };
    const start = { time: systemClock.now().toISOString(), id: commandId, status: 'started', items: 0 } as const;
    const entry = { ...author, ...start, changes: [...changes] };
    await operatorEntries.write(entry);
    return entry;
  }

  return {
    /** The id of the entries, which the written invoices and their histories contain. */
    commandId,

    async beforeWrite(tenant: string): Promise<void> {
      const run = getRun(tenant);
      await (run.entry ??= addEntry(tenant, run));
    },

    afterWrite(tenant: string, { invoices, events, entries }: WrittenItems): void {
      const run = getRun(tenant);
      run.invoicesAndEvents += invoices + events;
      for (const entry of entries) run.directoryEntries.add(entry);
    },

    /** Runs a write of Directory, and records its change unless the write returns false: after a conflict. */
    async recordChange<Result>(change: ChangeResult, write: () => Promise<Result>): Promise<Result> {
      const { changes } = getRun(change.tenant);
      const text = JSON.stringify(change);
      if (Buffer.byteLength([...changes, text].join('')) <= MAX_CHANGES_BYTES) changes.add(text);
      const result = await write();
      if (result === false) changes.delete(text);
      return result;
    },

    /** Completes the entries after the writes of the command. A second call has no effect. */
    async complete(exitCode: ExitCode): Promise<void> {
      const completedRuns = [...runs.values()];
      runs.clear();
      for (const { entry: adding, invoicesAndEvents, directoryEntries, changes } of completedRuns) {
        const entry = await adding?.catch(() => null);
        const items = invoicesAndEvents + directoryEntries.size;
        const end = { status: STATUSES[exitCode], ended_at: systemClock.now().toISOString(), items };
        if (entry) await operatorEntries.write({ ...entry, ...end, changes: [...changes] });
      }
    },
  };
}

/** Returns the target of a command, whose writes are checked and recorded. In a dry run, `recorder` is null. */
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
    /** A function rotates the key, so no watched client writes it. */
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
