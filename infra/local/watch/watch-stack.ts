import { fileURLToPath } from 'node:url';
import { contracts } from '../../../lib/contracts/contracts.ts';
import type { FunctionSurroundings } from '../local-function.ts';
import type { StackDefinition } from '../stack-definition.ts';
import { openBundler } from './bundler.ts';
import { createReloader, functionName, type ServedFunctions } from './reload.ts';
import { watchSources } from './watch-sources.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Serves the functions behind the routes of a stack as their sources are at any time, until it is closed. */
export async function watchStack(
  { functions, routes }: StackDefinition,
  served: ServedFunctions,
  surroundings: FunctionSurroundings,
): Promise<{ readonly close: () => Promise<void> }> {
  const names = contracts.map(({ name }) => name);
  const ids = new Set(routes.map(({ functionId }) => functionId));
  const definitions = functions.flatMap((definition) => {
    const name = ids.has(definition.id) ? functionName(definition.id, names) : undefined;
    return name === undefined ? [] : [[name, definition] as const];
  });
  const bundler = await openBundler(root, names);
  const reloader = createReloader(new Map(definitions), served, surroundings, bundler);
  const watcher = watchSources(reloader, root);
  return {
    async close() {
      await watcher.close();
      reloader.close();
      await bundler.close();
    },
  };
}
