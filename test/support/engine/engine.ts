import { DeleteTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { createTables } from '../../../infra/local/create-tables.ts';
import { createEngineDocumentClient } from '../../../infra/local/engine-client.ts';
import { findEngine, startEngine as startEmbeddedEngine } from '../../../infra/local/engine.ts';
import { readStack } from '../../../infra/local/read-stack.ts';

// Vitest ends its workers. Any other program, such as a benchmark, cannot exit while an idle engine runs.
const isWorker = process.env['VITEST'] !== undefined;

// Read at load time, because loadHandlers later changes the environment variable.
const foundEngine = findEngine();

/** A running engine with the empty tables of the stack. */
export type TestEngine = Awaited<ReturnType<typeof startEngine>>;

type EmbeddedEngine = Awaited<ReturnType<typeof startEmbeddedEngine>>;

/** Unused engines. The next files of this worker use them again, because each start needs two processes. */
const idleEngines: EmbeddedEngine[] = ((globalThis as { idleEngines?: EmbeddedEngine[] }).idleEngines ??= []);

/**
 * Starts an engine in memory on a free port, or reuses an idle one, and creates the tables of the template (see
 * synthesize-once.ts).
 */
export async function startEngine() {
  const { tables, tableNames } = readStack();
  const engine = idleEngines.pop() ?? (await startEmbeddedEngine(foundEngine));
  await createTables(engine.endpoint, tables);
  const client = createEngineDocumentClient(engine.endpoint);
  return {
    endpoint: engine.endpoint,
    tables: tableNames,
    client,
    async close() {
      if (!isWorker) await engine.close();
      // An engine that was already running (set in the environment) keeps its tables.
      else if (!('endpoint' in foundEngine)) {
        // This includes tables that a test or a benchmark has added.
        const { TableNames = [] } = await client.send(new ListTablesCommand());
        for (const TableName of TableNames) await client.send(new DeleteTableCommand({ TableName }));
        idleEngines.push(engine);
      }
      client.destroy();
    },
  };
}
