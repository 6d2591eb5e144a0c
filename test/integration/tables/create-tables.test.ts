import { expect, it } from 'vitest';
import { createTables } from '../../../infra/local/create-tables.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
const { tables } = readStack();

/** Returns the tables of the stack. The index of lists contains these attributes besides the keys. */
const withListAttributes = (...NonKeyAttributes: string[]) =>
  tables.map((table) => {
    const LocalSecondaryIndexes = table.input.LocalSecondaryIndexes?.map((index) => ({
      ...index,
      Projection: { ...index.Projection, NonKeyAttributes },
    }));
    return { ...table, input: { ...table.input, ...(LocalSecondaryIndexes && { LocalSecondaryIndexes }) } };
  });

it('createTables accepts existing tables whose indexes contain the same attributes in any order', async () => {
  await createTables(engine.endpoint, tables);
  await createTables(engine.endpoint, withListAttributes('changed_ms', 'state_code', 'search_text'));
});

it('createTables rejects existing tables if an index contains other attributes', async () => {
  await expect(
    createTables(engine.endpoint, withListAttributes('state_code', 'search_text', 'changed_at')),
  ).rejects.toThrow(
    /^The data were created by another version, whose table \S+ differs\. Use a new folder: --data DIR\.$/,
  );
});
