import type { Command } from '@commander-js/extra-typings';
import { systemClock } from '../../lib/runtime/clock.ts';
import { newUuid } from '../../lib/runtime/ids.ts';
import type { ChangeResult } from './directory/change-result.ts';
import type { ExitCode } from './operator-errors.ts';
import type { OperatorEntry } from './tables/operator-entries.ts';
import { WHOLE_SERVICE, type WriteScope, type WrittenItems } from './tables/watch-writes.ts';
import type { Target } from './targets/target.ts';

export type Recorder = ReturnType<typeof createRecorder>;

/** A command as it was called, and the data that it is allowed to write. */
interface CommandCall {
  /** The arguments never contain a secret, and standard input is not included. */
  readonly description: Pick<OperatorEntry, 'command' | 'arguments' | 'reason' | 'by'>;
  readonly scope: WriteScope;
}

/** The writes of a command for one tenant, which its entry describes. */
interface TenantWrites {
  /** The entry, once its addition has begun. */
  entry?: Promise<OperatorEntry>;
  invoices: number;
  readonly directoryEntries: Set<string>;
  readonly changes: Set<string>;
}

/** The status of a completed entry by the exit code of its command. */
const STATUSES = { 0: 'done', 1: 'rejected', 2: 'rejected', 3: 'failed', 130: 'interrupted' } as const;

/** The maximum size of the changes in an entry. An item of DynamoDB has at most 400 KB. */
const MAX_CHANGES_BYTES = 100_000;

/** Describes a call. An e-mail or username is replaced, because `erase-user` could not remove it from the record. */
export function describeCall(command: Command<unknown[]>, [name = '', ...args]: readonly string[]): CommandCall {
  const { reason, by, ...options } = command.opts() as Partial<Record<string, string>>;
  const argumentNames = command.registeredArguments.map((argument) => argument.name());
  const findArgument = (argumentName: string) => command.args[argumentNames.indexOf(argumentName)];
  const user = findArgument('user') ?? '';
  const isPersonal = (arg: string) => arg === user && !/^\d+$/.test(arg);
  const shownArguments = args.map((arg) => (isPersonal(arg) ? '<user>' : arg));
  const tenant = options['tenant'] ?? findArgument('tenant') ?? WHOLE_SERVICE;
  const supplierId = options['supplier'] ?? findArgument('supplier');
  return { description: { command: name, arguments: shownArguments, reason, by }, scope: { tenant, supplierId } };
}

/**
 * Creates the recorder of a command. Before the first write for each tenant, it calls `openGate`, which throws an error
 * if the user does not agree, and adds an entry to the operator record. If one of them fails, nothing is written.
 */
export function createRecorder(target: Target, { description }: CommandCall, openGate: () => Promise<void>) {
  const { operatorEntries } = target.ports;
  const writesByTenant = new Map<string, TenantWrites>();
  const commandId = newUuid();

  function getOrAddWrites(tenant: string): TenantWrites {
    const noWrites: TenantWrites = { invoices: 0, directoryEntries: new Set(), changes: new Set() };
    const writes = writesByTenant.get(tenant) ?? noWrites;
    writesByTenant.set(tenant, writes);
    return writes;
  }

  async function addEntry(tenant: string, { changes }: TenantWrites): Promise<OperatorEntry> {
    await openGate();
    const author = { ...description, tenant, operator: await target.readIdentity() };
    const start = { time: systemClock.now().toISOString(), id: commandId, status: 'started', items: 0 } as const;
    const entry = { ...author, ...start, changes: [...changes] };
    await operatorEntries.write(entry);
    return entry;
  }

  return {
    /** The id of the entries. The written invoices and their histories also contain it. */
    commandId,

    async beforeWrite(tenant: string): Promise<void> {
      const writes = getOrAddWrites(tenant);
      writes.entry ??= addEntry(tenant, writes);
      await writes.entry;
    },

    afterWrite(tenant: string, { invoices, entries }: WrittenItems): void {
      const writes = getOrAddWrites(tenant);
      writes.invoices += invoices;
      for (const entry of entries) writes.directoryEntries.add(entry);
    },

    /** Runs a write of Directory, and records its change unless the write returns false after a conflict. */
    async recordChange<Result>(change: ChangeResult, write: () => Promise<Result>): Promise<Result> {
      const { changes } = getOrAddWrites(change.tenant);
      const text = JSON.stringify(change);
      const isSmall = Buffer.byteLength([...changes, text].join('')) <= MAX_CHANGES_BYTES;
      // The first write adds the entry, which then already contains the change.
      if (isSmall) changes.add(text);
      const result = await write();
      if (result === false) changes.delete(text);
      return result;
    },

    /** Completes the entries after the writes of the command. A second call has no effect. */
    async complete(exitCode: ExitCode): Promise<void> {
      const completedWrites = [...writesByTenant.values()];
      writesByTenant.clear();
      for (const writes of completedWrites) {
        const entry = await writes.entry?.catch(() => null);
        if (!entry) continue;
        const items = writes.invoices + writes.directoryEntries.size;
        const end = { status: STATUSES[exitCode], ended_at: systemClock.now().toISOString(), items };
        await operatorEntries.write({ ...entry, ...end, changes: [...writes.changes] });
      }
    },
  };
}
