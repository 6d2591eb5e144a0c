import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lockDataFolder } from '../../../infra/local/data-folder.ts';
import { lockFile } from '../../../infra/process/lock-file.ts';

const parent = mkdtempSync(join(tmpdir(), 'data-'));
const toPath = (name: string) => join(parent, name);
const readMode = (name: string) => (statSync(toPath(name)).mode & 0o777).toString(8);

it('lockDataFolder creates the folder with access for its owner only, and rejects a folder that is in use', () => {
  lockDataFolder(toPath('new/own'));
  const modes = ['new', 'new/own', 'new/own/in-use.sqlite'].map(readMode);
  expect(modes).toEqual(['700', '700', '600']);
  const message = `The data in ${toPath('new/own')} are in use by another npm start. Stop it, or use another folder.`;
  expect(() => lockDataFolder(toPath('new/own'))).toThrow(message);
});

it('lockDataFolder keeps the permissions of a folder that others can read', () => {
  mkdirSync(toPath('shared'));
  chmodSync(toPath('shared'), 0o755);
  lockDataFolder(toPath('shared'));
  expect([readMode('shared'), readMode('shared/in-use.sqlite')]).toEqual(['755', '600']);
});

it('lockDataFolder rejects a folder inside a file, with the reason', () => {
  writeFileSync(toPath('file'), '');
  expect(() => lockDataFolder(toPath('file/below'))).toThrow(
    /^The data cannot be kept in .+: ENOTDIR: .+ --data DIR\.$/,
  );
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
