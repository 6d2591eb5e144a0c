import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { lockDataFolder } from '../../../infra/local/data-folder.ts';
import { lockFile } from '../../../infra/process/lock-file.ts';

const parent = mkdtempSync(join(tmpdir(), 'data-'));
const toPath = (name: string) => join(parent, name);
const readMode = (name: string) => (statSync(toPath(name)).mode & 0o777).toString(8);

/** Locks a folder. Returns the function that releases the lock, and the output. */
function lock(name: string) {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const release = lockDataFolder(toPath(name));
    return { release, printed: stderr.mock.calls.join('') };
  } finally {
    stderr.mockRestore();
  }
}

it('lockDataFolder creates the folder with access for its owner only', () => {
  const { release, printed } = lock('new/own');
  release();
  expect([readMode('new'), readMode('new/own'), readMode('new/own/in-use.sqlite'), printed]).toEqual([
    '700',
    '700',
    '600',
    '',
  ]);
});

it('lockDataFolder keeps the permissions of a folder that others can read, and prints a warning', () => {
  mkdirSync(toPath('shared'));
  chmodSync(toPath('shared'), 0o755);
  const { release, printed } = lock('shared');
  release();
  expect(printed).toMatch(/^Warning: other users .* chmod 700 .*shared\n$/);
  expect([readMode('shared'), readMode('shared/in-use.sqlite')]).toEqual(['755', '600']);
});

it('lockDataFolder rejects a folder that is in use', () => {
  lock('used');
  const message = `The data in ${toPath('used')} are in use by another npm start. Stop it, or use another folder.`;
  expect(() => lock('used')).toThrow(message);
});

it('lockDataFolder rejects a folder that is a file or is inside a file, with the reason', () => {
  writeFileSync(toPath('file'), '');
  for (const name of ['file', 'file/below']) {
    const message = `The data cannot be kept in ${toPath(name)}: that path, or a folder above it, is a file. Use another folder: --data DIR.`;
    expect(() => lock(name)).toThrow(message);
  }
});

const module = new URL('../../../infra/process/lock-file.ts', import.meta.url).href;

it('a locked file cannot be locked again before it is released, and only its owner can read it', () => {
  const path = toPath('own.lock');
  const release = lockFile(path);
  expect([lockFile(path), readMode('own.lock')]).toEqual([null, '600']);
  release?.();
  lockFile(path)?.();
  expect(lockFile(path)).not.toBeNull();
});

it('the lock of another process ends with the process, even if it is killed', async () => {
  const path = toPath('other.lock');
  const script = `(await import(${JSON.stringify(module)})).lockFile(${JSON.stringify(path)}); console.log('locked'); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  expect(lockFile(path)).toBeNull();
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(lockFile(path)).not.toBeNull();
});

it('a file with other content is not used as a lock', () => {
  const path = toPath('text.lock');
  writeFileSync(path, `4711 erp-server\n${'x'.repeat(1000)}`);
  expect(() => lockFile(path)).toThrow('file is not a database');
  expect(() => lockFile(toPath('missing/a.lock'))).toThrow('ENOENT');
});
