import { mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalFunction } from '../../infra/local/local-function.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { VirtualClock } from '../../infra/local/virtual-clock.ts';
import { bundleOptions, toEntryPoints } from '../../infra/constructs/bundles.ts';
import { routes, signingKeyRotation } from '../../infra/routes.ts';
import { watchFunctions } from '../../infra/local/watch.ts';

describe('a changed source', () => {
  let root: string;
  let printed: string;
  let invoke: (ms?: number) => Promise<unknown>;
  let close: () => Promise<void>;

  const save = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const exportWord = (word: string) => `export const word = '${word}';\n`;
  const waitUntilServed = (word: string) => expect.poll(() => invoke(), { timeout: 15_000 }).toBe(word);
  const waitUntilPrinted = (words: RegExp) => expect.poll(() => printed, { timeout: 15_000 }).toMatch(words);

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'watched-'));
    // The folder has no contracts, so there are no validators to generate.
    save('infra/generate/generate.ts', '');
    save('lib/words/word.ts', exportWord('first'));
    save(
      'functions/hello.ts',
      `import { word } from '../lib/words/word.ts';
       export const handler = async ({ ms }: { ms: number }) => {
         await new Promise((resolve) => setTimeout(resolve, ms));
         return word;
       };`,
    );
    printed = '';
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => {
        printed += String(text);
        return true;
      });
    }
    save('bundle/index.js', (await buildBundles(root, ['hello'])).get('hello') ?? '');
    const definition = {
      id: 'hello12345678',
      name: 'hello',
      codeFolder: join(root, 'bundle'),
      handler: 'index.handler',
      environment: {},
      memoryMegabytes: 128,
      timeoutSeconds: 20,
    };
    const surroundings = { endpoint: 'http://127.0.0.1:1', clock: new VirtualClock(), onLine: () => {} };
    const functions = new Map([[definition.id, new LocalFunction(definition, surroundings)]]);
    const watcher = await watchFunctions(root, [definition], functions, surroundings);
    invoke = async (ms = 0) => {
      const outcome = await functions.get(definition.id)!.invoke({ ms });
      return 'result' in outcome ? outcome.result : outcome.failure;
    };
    close = async () => {
      await watcher.close();
      await Promise.all([...functions.values()].map((localFunction) => localFunction.close()));
    };
    expect(await invoke()).toBe('first');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await close();
  });

  it('a changed source is served each time an editor replaces its file', { tags: 'long' }, async () => {
    for (const word of ['second', 'third']) {
      save('lib/words/word.ts.new', exportWord(word));
      renameSync(join(root, 'lib/words/word.ts.new'), join(root, 'lib/words/word.ts'));
      await waitUntilServed(word);
    }
  });

  it('a source with an error is not served, its error is printed, and its correction is served and printed', async () => {
    save('lib/words/word.ts', 'export const word = ;\n');
    await waitUntilPrinted(/The previous version is still served\.\n$/);
    expect(await invoke()).toBe('first');
    save('lib/words/word.ts', `throw new Error('not today');\n${exportWord('second')}`);
    await waitUntilPrinted(/The new bundles cannot be loaded: Error: not today\n/);
    expect(await invoke()).toBe('first');
    save('lib/words/word.ts', exportWord('third'));
    await waitUntilServed('third');
    await waitUntilPrinted(/\nSources changed, now served: hello\.\n$/);
  });

  it('a request in progress ends with the previous version', { tags: 'long' }, async () => {
    const pendingRequests = [1_000, 1_500].map((ms) => invoke(ms));
    save('lib/words/word.ts', exportWord('second'));
    await waitUntilServed('second');
    expect(await Promise.all(pendingRequests)).toEqual(['first', 'first']);
  });
});

it('the bundles of --watch are equal to the bundles of the deployment', async () => {
  const names = [...routes, signingKeyRotation].map(({ name }) => name);
  const bundles = await buildBundles(fileURLToPath(new URL('../..', import.meta.url)), names);
  const deployed = readStack().functions.filter(({ name }) => bundles.has(name));
  expect(deployed.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  for (const { name, codeFolder } of deployed)
    expect(readFileSync(join(codeFolder, 'index.js'), 'utf8') === bundles.get(name), name).toBe(true);
});

/** Builds functions as the watcher does. Returns the bundles by the names of their functions. */
async function buildBundles(root: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const entryPoints = toEntryPoints(names.map((name) => `functions/${name}.ts`));
  const { outputFiles } = await build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints,
    outdir: 'x',
    write: false,
  });
  const bundles = outputFiles.filter(({ path }) => path.endsWith('.js'));
  return new Map(bundles.map(({ path, text }) => [basename(dirname(path)), text]));
}
