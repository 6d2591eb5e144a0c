import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalFunction } from '../../infra/local/local-function.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { VirtualClock } from '../../infra/local/virtual-clock.ts';
import { type Bundler, openBundler } from '../../infra/local/watch/bundler.ts';
import { createReloader, functionName } from '../../infra/local/watch/reload.ts';
import { watchSources } from '../../infra/local/watch/watch-sources.ts';
import { contracts } from '../../lib/contracts/contracts.ts';

describe('a changed source', () => {
  let root: string;
  let printed: string;
  let builds: number;
  let answer: () => Promise<unknown>;
  let close: () => Promise<void>;

  const save = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  /** As many editors save: another file takes the place of the one before. */
  const replace = (path: string, text: string) => {
    save(`${path}.new`, text);
    renameSync(join(root, `${path}.new`), join(root, path));
  };
  const says = (word: string) => `export const word = '${word}';\n`;
  const untilServed = (word: string) => expect.poll(answer, { timeout: 15_000 }).toBe(word);
  const untilPrinted = (words: RegExp) => expect.poll(() => printed, { timeout: 15_000 }).toMatch(words);

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'watched-'));
    for (const path of ['infra/stack.ts', 'infra/sam/events.ts', 'infra/ops/cli.ts', 'infra/docs/page/layout.css'])
      save(path, '');
    save('lib/domain/.keep', '');
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
    builds = 0;
    const esbuild = await openBundler(root, ['hello']);
    const bundler: Bundler = { ...esbuild, build: () => (builds++, esbuild.build()) };
    save('bundle/index.js', (await bundler.build()).get('hello') ?? '');
    const definition = {
      id: 'hello12345678',
      codeDirectory: join(root, 'bundle'),
      handler: 'index.handler',
      environment: {},
      memoryMegabytes: 128,
      timeoutSeconds: 20,
    };
    const surroundings = { endpoint: 'http://127.0.0.1:1', clock: new VirtualClock(), quiet: true };
    const served = new Map([[definition.id, new LocalFunction(definition, surroundings)]]);
    const reloader = createReloader(new Map([['hello', definition]]), served, surroundings, bundler);
    const watcher = watchSources(reloader, root);
    answer = async (ms = 0) => {
      const outcome = await served.get(definition.id)!.invoke({ ms });
      return 'result' in outcome ? outcome.result : outcome.failure;
    };
    close = async () => {
      await watcher.close();
      reloader.close();
      await bundler.close();
      await Promise.all([...served.values()].map((each) => each.close()));
      rmSync(root, { recursive: true });
    };
    expect(await answer()).toBe('first');
    builds = 0;
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await close();
  });

  it('is served, and the line says which functions it changes', async () => {
    save('lib/words/word.ts', says('second'));
    await untilServed('second');
    await untilPrinted(/^lib\/words\/word\.ts changed, served after \d+\.\d s: hello\.\n$/);
  });

  it('is served when an editor puts another file in its place, each time anew', async () => {
    for (const word of ['second', 'third']) {
      replace('lib/words/word.ts', says(word));
      await untilServed(word);
    }
    save('lib/words/word.ts', says('fourth'));
    await untilServed('fourth');
  });

  it('is served when it stands in a folder that is new, or was there before', async () => {
    for (const word of ['second', 'third']) {
      save('lib/more/word.ts', says(word));
      save('lib/words/word.ts', `export * from '../more/word.ts';\n`);
      await untilServed(word);
      save('lib/words/word.ts', says('between'));
      await untilServed('between');
      rmSync(join(root, 'lib/more'), { recursive: true });
    }
  });

  it('with a fault keeps the version before, names the fault, and is served when it is mended', async () => {
    save('lib/words/word.ts', 'export const word = ;\n');
    await untilPrinted(/^lib\/words\/word\.ts:1:21: Unexpected ";"\nWhat was served before goes on\.\n$/);
    expect(await answer()).toBe('first');
    save('lib/words/word.ts', `throw new Error('not today');\n${says('second')}`);
    await untilPrinted(/What was bundled cannot be loaded: Error: not today\n/);
    expect(await answer()).toBe('first');
    save('lib/words/word.ts', says('third'));
    await untilServed('third');
  });

  it('is bundled once for many quick saves', async () => {
    for (let draft = 0; draft < 50; draft++) save('lib/words/word.ts', says(`draft ${draft}`));
    save('lib/words/word.ts', says('final'));
    await untilServed('final');
    await untilPrinted(/served after/);
    expect(builds).toBe(1);
  });

  it('lets a request end that is under way as it comes', async () => {
    const underWay = [1_000, 1_500].map((ms) => (answer as (ms: number) => Promise<unknown>)(ms));
    save('lib/words/word.ts', says('second'));
    await untilServed('second');
    expect(await Promise.all(underWay)).toEqual(['first', 'first']);
  });

  it('that changes no bundle changes nothing, and one of what starts asks for a restart', async () => {
    save('lib/words/other.ts', says('other'));
    await untilPrinted(/^lib\/words\/other\.ts changed, no function differs\.\n$/);
    save('infra/stack.ts', '// other');
    await untilPrinted(/^infra\/stack\.ts changed: restart npm start to take over a change of infra\/\.$/m);
    expect(builds).toBe(1);
  });

  it('of the page asks for a restart too; those of other commands, of texts and of generated files ask for nothing', async () => {
    const passedOver = ['infra/sam/events.ts', 'infra/ops/cli.ts', 'lib/words/notes.md', 'lib/words/x.generated.js'];
    // If one of them counted, the line of the last would name it, or another line before it.
    for (const path of [...passedOver, 'infra/docs/page/layout.css']) save(path, '// other');
    await untilPrinted(/restart npm start/);
    expect(printed).toBe('infra/docs/page/layout.css changed: restart npm start to take over a change of infra/.\n');
    expect(builds).toBe(0);
  });
});

describe('the bundles of npm start --watch', () => {
  it('are those of the deployment, byte by byte', async () => {
    const names = contracts.map(({ name }) => name);
    const bundler = await openBundler(fileURLToPath(new URL('../..', import.meta.url)), names);
    const bundles = await bundler.build();
    await bundler.close();
    const deployed = readStack().functions.flatMap(({ id, codeDirectory }) => {
      const name = functionName(id, names);
      return name === undefined ? [] : [[name, readFileSync(join(codeDirectory, 'index.js'), 'utf8')] as const];
    });
    expect(deployed.map(([name]) => name).toSorted()).toEqual(names.toSorted());
    for (const [name, code] of deployed) expect(bundles.get(name) === code, name).toBe(true);
  });
});
