import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { processTree, survivorsOf } from '../support/processes/process-tree.ts';
import { startCommand, useProcesses } from '../support/processes/use-processes.ts';
import { useDirectory } from '../support/setup/use-directory.ts';

const home = useDirectory();
const start = useProcesses();

it(
  'npm start works whatever the environment and the files of its user say of AWS and of proxies',
  { tags: 'long' },
  async () => {
    const profile = 'region = sa-east-1\nuse_fips_endpoint = true\nuse_dualstack_endpoint = true\n';
    writeFileSync(join(home, 'config'), `[default]\n${profile}\n[profile acme]\n${profile}`);
    const { child, exit, ready } = start(startCommand, {
      ...{ AWS_CONFIG_FILE: join(home, 'config'), AWS_PROFILE: 'acme', AWS_USE_FIPS_ENDPOINT: 'true' },
      ...{ AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' },
      ...{ NODE_USE_ENV_PROXY: '1', http_proxy: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' },
    });
    await ready();
    child.kill('SIGTERM');
    expect(await exit).toMatchObject({ code: 0, stderr: '' });
  },
);

it('npm start says, before it synthesizes, what to do where the engine is not installed', async () => {
  const clone = join(home, 'clone');
  const root = fileURLToPath(new URL('../../', import.meta.url));
  for (const part of ['functions', 'infra', 'lib', 'package.json', 'package-lock.json', 'cdk.json', 'tsconfig.json'])
    cpSync(join(root, part), join(clone, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
  const pretend = "Object.defineProperty(process, 'platform', { value: 'freebsd' })";
  const [program = '', , ...options] = startCommand;
  const { exit } = start(
    [
      ...[program, '--import', `data:text/javascript,${encodeURIComponent(pretend)}`],
      ...[join(clone, 'infra/start.ts'), ...options],
    ],
    { DYNOXIDE_BIN: '', AWS_ENDPOINT_URL_DYNAMODB: '' },
  );
  const says = /^The engine @dynoxide\/freebsd-\w+ is not installed: run npm ci [^\n]+\ndocker run [^\n]+ npm start\n$/;
  expect(await exit).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
});

it('npm start ends without a word when nobody reads its output any more', { tags: 'long' }, async () => {
  const { child, output, ready } = start(startCommand);
  await ready();
  const tree = await processTree(child.pid ?? 0);
  const [, url = ''] = /^Ready: (.+)$/m.exec(output.stdout) ?? [];
  child.stdout.destroy();
  const ended = once(child, 'exit');
  // Its log line is what finds no reader.
  await fetch(`${url}/apidev/v1/login`, { method: 'POST' });
  expect(await ended).toEqual([0, null]);
  expect(output.stderr).toBe('');
  await expect.poll(() => survivorsOf(tree), { timeout: 5_000 }).toEqual([]);
});

it.skipIf(!existsSync('/dev/full'))(
  'npm start says that its output cannot be written, as on a full disk, and ends',
  async () => {
    const [program = '', ...words] = startCommand;
    const full = openSync('/dev/full', 'w');
    const child = spawn(program, words, { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let errors = '';
    child.stderr?.on('data', (text) => (errors += text));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(errors).toMatch(/^The output cannot be written: ENOSPC.+\n$/);
  },
);

it(
  'npm start ends when its npm was ended, though the shell between them did not say so',
  { tags: 'long' },
  async () => {
    const { child, ready } = start(['sh', '-c', '"$0" "$@"; true', ...startCommand], { npm_lifecycle_event: 'start' });
    await ready();
    const tree = await processTree(child.pid ?? 0);
    expect(tree.map(({ command: words }) => words)).toContainEqual(expect.stringContaining('infra/start.ts'));
    child.kill('SIGTERM');
    await expect.poll(() => survivorsOf(tree), { timeout: 10_000 }).toEqual([]);
  },
);
