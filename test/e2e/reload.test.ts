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
  let answer: (ms?: number) => Promise<unknown>;
  let close: () => Promise<void>;

  const save = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const says = (word: string) => `export const word = '${word}';\n`;
  const untilServed = (word: string) => expect.poll(() => answer(), { timeout: 15_000 }).toBe(word);
  const untilPrinted = (words: RegExp) => expect.poll(() => printed, { timeout: 15_000 }).toMatch(words);

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'watched-'));
    // The folder has no contracts to make validators of.
    save('infra/generate/generate.ts', '');
    save('lib/words/word.ts', says('first'));
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
    save('bundle/index.js', (await bundlesOf(root, ['hello'])).get('hello') ?? '');
    const definition = {
      id: 'hello12345678',
      name: 'hello',
      codeDirectory: join(root, 'bundle'),
      handler: 'index.handler',
      environment: {},
      memoryMegabytes: 128,
      timeoutSeconds: 20,
    };
    const surroundings = { endpoint: 'http://127.0.0.1:1', clock: new VirtualClock(), readLine: () => {} };
    const served = new Map([[definition.id, new LocalFunction(definition, surroundings)]]);
    const watcher = await watchFunctions(root, [definition], served, surroundings);
    answer = async (ms = 0) => {
      const outcome = await served.get(definition.id)!.invoke({ ms });
      return 'result' in outcome ? outcome.result : outcome.failure;
    };
    close = async () => {
      await watcher.close();
      await Promise.all([...served.values()].map((each) => each.close()));
    };
    expect(await answer()).toBe('first');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await close();
  });

  it('a changed source is served each time an editor replaces its file', { tags: 'long' }, async () => {
    for (const word of ['second', 'third']) {
      save('lib/words/word.ts.new', says(word));
      renameSync(join(root, 'lib/words/word.ts.new'), join(root, 'lib/words/word.ts'));
      await untilServed(word);
    }
  });

  it('a source with an error is not served, its error is printed, and its correction is served and printed', async () => {
    save('lib/words/word.ts', 'export const word = ;\n');
    await untilPrinted(/The previous version is still served\.\n$/);
    expect(await answer()).toBe('first');
    save('lib/words/word.ts', `throw new Error('not today');\n${says('second')}`);
    await untilPrinted(/The new bundles cannot be loaded: Error: not today\n/);
    expect(await answer()).toBe('first');
    save('lib/words/word.ts', says('third'));
    await untilServed('third');
    await untilPrinted(/\nSources changed, now served: hello\.\n$/);
  });

  it('a request in progress ends with the previous version', { tags: 'long' }, async () => {
    const underWay = [1_000, 1_500].map((ms) => answer(ms));
    save('lib/words/word.ts', says('second'));
    await untilServed('second');
    expect(await Promise.all(underWay)).toEqual(['first', 'first']);
  });
});

describe('the bundles of npm start --watch', () => {
  it('the bundles of --watch are equal to the bundles of the deployment', async () => {
    const names = [...routes, signingKeyRotation].map(({ name }) => name);
    const bundles = await bundlesOf(fileURLToPath(new URL('../..', import.meta.url)), names);
    const deployed = readStack().functions.filter(({ name }) => bundles.has(name));
    expect(deployed.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const { name, codeDirectory } of deployed)
      expect(readFileSync(join(codeDirectory, 'index.js'), 'utf8') === bundles.get(name), name).toBe(true);
  });
});

/** The bundles that the watcher makes, by the names of their functions. */
async function bundlesOf(root: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
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
