import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { lockDataDirectory } from '../../../infra/local/engine.ts';
import { lockFile } from '../../../infra/process/lock-file.ts';

const parent = mkdtempSync(join(tmpdir(), 'data-'));
const pathOf = (name: string) => join(parent, name);
const modeOf = (name: string) => (statSync(pathOf(name)).mode & 0o777).toString(8);

/** Locks a folder; returns what was printed, and the function that releases the lock. */
function lock(name: string) {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const release = lockDataDirectory(pathOf(name));
    return { release, printed: stderr.mock.calls.join('') };
  } finally {
    stderr.mockRestore();
  }
}

it('lockDataDirectory creates the folder with access for its owner only', () => {
  const { release, printed } = lock('new/own');
  release();
  expect([modeOf('new'), modeOf('new/own'), modeOf('new/own/in-use.sqlite'), printed]).toEqual([
    '700',
    '700',
    '600',
    '',
  ]);
});

it('lockDataDirectory keeps the permissions of a folder that others can read, and prints a warning', () => {
  mkdirSync(pathOf('shared'));
  chmodSync(pathOf('shared'), 0o755);
  const { release, printed } = lock('shared');
  release();
  expect(printed).toMatch(/^Warning: other users .* chmod 700 .*shared\n$/);
  expect([modeOf('shared'), modeOf('shared/in-use.sqlite')]).toEqual(['755', '600']);
});

it('lockDataDirectory rejects a folder that is in use', () => {
  lock('used');
  const words = `The data in ${pathOf('used')} are in use by another npm start. Stop it, or use another folder.`;
  expect(() => lock('used')).toThrow(words);
});

it('lockDataDirectory rejects a folder that is a file or lies in a file, with the reason', () => {
  writeFileSync(pathOf('file'), '');
  for (const name of ['file', 'file/below']) {
    const words = `The data cannot be kept in ${pathOf(name)}: that is a file. Use another folder: --data DIR.`;
    expect(() => lock(name)).toThrow(words);
  }
});

it.runIf(existsSync('/proc'))(
  'lockDataDirectory rejects a folder that the system cannot create, with the reason',
  () => {
    const words = /kept in \/proc\/x\/data: ENOENT: .* Use another folder: --data DIR\.$/;
    expect(() => lockDataDirectory('/proc/x/data')).toThrow(words);
  },
);

// An administrator can write everywhere.
it.skipIf(process.getuid?.() === 0)('lockDataDirectory rejects a folder that cannot be written', () => {
  mkdirSync(pathOf('closed'), { mode: 0o500 });
  expect(() => lock('closed')).toThrow(`You may not write into ${pathOf('closed')}.`);
});

const module = new URL('../../../infra/process/lock-file.ts', import.meta.url).href;

it('a locked file cannot be locked again before it is released, and only its owner can read it', () => {
  const path = pathOf('own.lock');
  const release = lockFile(path);
  expect([lockFile(path), modeOf('own.lock')]).toEqual([null, '600']);
  release?.();
  lockFile(path)?.();
  expect(lockFile(path)).not.toBeNull();
});

it('the lock of another process ends with it, also if it is killed', async () => {
  const path = pathOf('other.lock');
  const script = `(await import(${JSON.stringify(module)})).lockFile(${JSON.stringify(path)}); console.log('locked'); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  expect(lockFile(path)).toBeNull();
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(lockFile(path)).not.toBeNull();
});

it('a file with other content is not used as a lock', () => {
  const path = pathOf('text.lock');
  writeFileSync(path, `4711 erp-server\n${'x'.repeat(1000)}`);
  expect(() => lockFile(path)).toThrow('file is not a database');
  expect(() => lockFile(pathOf('missing/a.lock'))).toThrow('ENOENT');
});
