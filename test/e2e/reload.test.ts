import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundleOptions, toEntryPoints } from '../../infra/constructs/bundles.ts';
import { LocalFunctions } from '../../infra/local/local-functions.ts';
import type { FunctionDefinition } from '../../infra/local/read-stack.ts';
import { VirtualClock } from '../../infra/local/virtual-clock.ts';
import { watchFunctions } from '../../infra/local/watch.ts';

describe('a changed source', () => {
  let root: string;
  let printed: string;
  let functions: LocalFunctions;
  let stopWatching: () => Promise<void>;

  const save = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const exportWord = (word: string) => `export const word = '${word}';\n`;
  const invoke = async (ms = 0) => {
    const outcome = await functions.invoke('Hello', { ms });
    return 'result' in outcome ? outcome.result : outcome.failure;
  };
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
    const entryPoints = toEntryPoints(['functions/hello.ts']);
    await build({ ...bundleOptions, absWorkingDir: root, entryPoints, outdir: join(root, 'bundles') });
    const codeFolder = join(root, 'bundles/hello');
    const definitions = [{ id: 'Hello', name: 'hello', codeFolder, environment: {}, timeoutSeconds: 20 }];
    const settings = { endpoint: 'http://127.0.0.1:1', clock: new VirtualClock(), onLine: () => {} };
    functions = new LocalFunctions(definitions, settings);
    const replaceFunctions = async (newDefinitions: readonly FunctionDefinition[]) => {
      functions = await functions.replace(newDefinitions);
    };
    ({ close: stopWatching } = await watchFunctions(root, definitions, replaceFunctions));
    expect(await invoke()).toBe('first');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await stopWatching();
    await functions.close();
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

  it(
    'an editor can replace a file, and a request in progress ends with the previous version',
    { tags: 'long' },
    async () => {
      const pendingRequests = [1_000, 1_500].map((ms) => invoke(ms));
      for (const word of ['second', 'third']) {
        save('lib/words/word.ts.new', exportWord(word));
        renameSync(join(root, 'lib/words/word.ts.new'), join(root, 'lib/words/word.ts'));
        await waitUntilServed(word);
      }
      expect(await Promise.all(pendingRequests)).toEqual(['first', 'first']);
    },
  );
});
