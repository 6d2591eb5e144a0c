import { DeleteTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTables, createEngineDocumentClient } from '../../../infra/local/engine-client.ts';
import { findEngine, startEngine as startEmbeddedEngine } from '../../../infra/local/engine.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import type { TableName } from '../../../infra/routes.ts';

// Vitest ends its workers. Any other program, such as a benchmark, cannot exit while it keeps an idle engine.
const isWorker = process.env['VITEST'] !== undefined;

// Read before the handlers of a portal get the address of theirs.
const foundEngine = findEngine();

/** A running engine with the empty tables of the stack. */
export interface TestEngine {
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
  readonly client: DynamoDBDocumentClient;
  close(): Promise<void>;
}

type Started = Awaited<ReturnType<typeof startEmbeddedEngine>>;

/** Engines that no test uses any more, for the next files of this worker: each start costs two processes. */
const idle: Started[] = ((globalThis as { idleEngines?: Started[] }).idleEngines ??= []);

/**
 * Starts an engine in memory, on a free port, or takes an idle one, and creates the tables as the template defines them
 * (see synthesize-once.ts).
 */
export async function startEngine(): Promise<TestEngine> {
  const { tables, tableNames } = readStack();
  const engine = idle.pop() ?? (await startEmbeddedEngine(0, undefined, foundEngine));
  await createTables(engine.endpoint, tables);
  const client = createEngineDocumentClient(engine.endpoint);
  return {
    endpoint: engine.endpoint,
    tables: tableNames,
    client,
    async close() {
      if (!isWorker) await engine.close();
      // A running engine that the environment names keeps its tables.
      else if (!foundEngine.endpoint) {
        // Also the tables that a test or a benchmark has added.
        const { TableNames = [] } = await client.send(new ListTablesCommand());
        for (const TableName of TableNames) await client.send(new DeleteTableCommand({ TableName }));
        idle.push(engine);
      }
      client.destroy();
    },
  };
}
