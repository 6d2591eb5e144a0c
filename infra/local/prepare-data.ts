import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { CommandError } from '../process/terminal.ts';
import type { TableName } from '../routes.ts';
import { createTables } from './create-tables.ts';
import { deleteCounters } from './delete-counters.ts';
import type { Invoke } from './local-functions.ts';
import type { StackDefinition } from './read-stack.ts';

/** The engine and the tables into which the demo data are loaded. */
export interface DemoEngine {
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
}

export interface DataOptions {
  /** Loads the demo data, and returns their account. Without this function, the tables are empty. */
  readonly loadDemo?: ((engine: DemoEngine) => Promise<SampleAccount>) | undefined;
  /** True if events are published, as with the option `events` of a deployment. */
  readonly events?: boolean | undefined;
}

/** Creates the tables and the signing key, and loads the demo data, if any. Returns the account of the demo data. */
export async function prepareData(
  endpoint: string,
  { tables, tableNames, rotation }: StackDefinition,
  invoke: Invoke,
  { loadDemo, events = false }: DataOptions,
): Promise<SampleAccount | undefined> {
  try {
    await createTables(endpoint, tables, { withStreams: events });
    // If a tester moved the clock ahead in an earlier start, kept counters have times in the future and reject requests.
    await deleteCounters(endpoint, tableNames);
    const outcome = await invoke(rotation.id, {});
    if ('failure' in outcome) {
      throw new CommandError(
        'The function that creates the signing key failed. To see its log, start without --quiet.',
      );
    }
    return await loadDemo?.({ endpoint, tables: tableNames });
  } catch (error) {
    // Only an error of a call to the engine, for example if the disk is full, has the property `$metadata` of the SDK.
    if (!('$metadata' in (error as Error))) throw error;
    // The AggregateError of a failed connection to several addresses has no message, but the code of the failure.
    const { message, code } = error as NodeJS.ErrnoException;
    throw new CommandError(`The engine at ${endpoint} cannot keep the data: ${message || code}`);
  }
}
