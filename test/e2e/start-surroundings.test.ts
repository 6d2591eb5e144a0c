import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processTree, survivorsOf } from '../support/processes/process-tree.ts';
import { startCommand, useProcesses } from '../support/processes/use-processes.ts';
import { useDirectory } from '../support/setup/use-directory.ts';

const home = useDirectory();
const start = useProcesses();

it('npm start ignores the AWS configuration, credentials and proxies of its user', { tags: 'long' }, async () => {
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
});

it('npm start ends with 0 and without an error if the reader of its output closes it', { tags: 'long' }, async () => {
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
  'npm start prints that its output cannot be written, and ends with 1, if the disk is full',
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
  'npm start ends if its npm is ended, even if the shell between them does not pass the signal on',
  { tags: 'long' },
  async () => {
    const { child, ready } = start(['sh', '-c', '"$0" "$@"; true', ...startCommand], { npm_lifecycle_event: 'start' });
    await ready();
    const tree = await processTree(child.pid ?? 0);
    expect(tree.map(({ command: words }) => words)).toContainEqual(expect.stringContaining('infra/start/start.ts'));
    child.kill('SIGTERM');
    await expect.poll(() => survivorsOf(tree), { timeout: 10_000 }).toEqual([]);
  },
);
