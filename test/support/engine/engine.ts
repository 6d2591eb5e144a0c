import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTables, engineDocumentClient } from '../../../infra/local/engine-client.ts';
import { findEngine, startEngine as startEmbeddedEngine } from '../../../infra/local/engine.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import type { TableName } from '../../../infra/routes.ts';

// Read before the handlers of a portal get the address of theirs.
const foundEngine = findEngine();

/** A running engine with the empty tables of the stack. */
export interface TestEngine {
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
  readonly client: DynamoDBDocumentClient;
  close(): Promise<void>;
}

/**
 * Starts an engine in memory, on a free port, and creates the tables as the template defines them (see
 * synthesize-once.ts).
 */
export async function startEngine(): Promise<TestEngine> {
  const { tables, tableNames } = readStack();
  const engine = await startEmbeddedEngine(0, undefined, foundEngine);
  await createTables(engine.endpoint, tables);
  const client = engineDocumentClient(engine.endpoint);
  return {
    endpoint: engine.endpoint,
    tables: tableNames,
    client,
    async close() {
      client.destroy();
      await engine.close();
    },
  };
}
