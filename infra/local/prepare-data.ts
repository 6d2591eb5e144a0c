import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { CommandError } from '../process/terminal.ts';
import type { TableName } from '../routes.ts';
import { createTables } from './create-tables.ts';
import { deleteCounters } from './delete-counters.ts';
import type { LocalFunctions } from './local-functions.ts';
import type { StackDefinition } from './read-stack.ts';

/** The engine and the tables into which the demo data are loaded. */
export interface DemoEngine {
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
}

export interface DataOptions {
  /** Loads the demo data. Without this function, the tables are empty. */
  readonly loadDemo?: ((engine: DemoEngine) => Promise<SampleAccount>) | undefined;
  /** True if events are published, as with the option `events` of a deployment. */
  readonly events?: boolean | undefined;
}

/** Creates the tables and the signing key, and loads the demo data. Returns the account of the demo data. */
export async function prepareData(
  endpoint: string,
  { tables, tableNames, rotation }: StackDefinition,
  invoke: LocalFunctions['invoke'],
  { loadDemo, events = false }: DataOptions,
): Promise<SampleAccount | undefined> {
  try {
    await createTables(endpoint, tables, { withStreams: events });
    // The clock of an earlier start can have been ahead.
    await deleteCounters(endpoint, tableNames);
    const outcome = await invoke(rotation.id, {});
    if ('failure' in outcome) {
      throw new CommandError(
        'The function that creates the signing key failed. To see its log, start without --quiet.',
      );
    }
    return await loadDemo?.({ endpoint, tables: tableNames });
  } catch (error) {
    // The SDK adds `$metadata` to the error of a call to the engine, for example if the disk is full.
    if (!('$metadata' in (error as Error))) throw error;
    // An error without a message contains only the errors of several addresses.
    const { message, code } = error as NodeJS.ErrnoException;
    throw new CommandError(`The engine at ${endpoint} cannot keep the data: ${message || code}`);
  }
}
