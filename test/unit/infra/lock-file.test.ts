import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockFile } from '../../../infra/lock-file.ts';

const module = new URL('../../../infra/lock-file.ts', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'lock-'));

it('a locked file cannot be locked again before it is released, and only its owner can read it', () => {
  const path = join(folder, 'own.lock');
  const release = lockFile(path);
  expect([lockFile(path), (statSync(path).mode & 0o777).toString(8)]).toEqual([null, '600']);
  release?.();
  lockFile(path)?.();
  expect(lockFile(path)).not.toBeNull();
});

it('the lock of another process ends with it, also if it is killed', async () => {
  const path = join(folder, 'other.lock');
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
  const path = join(folder, 'text.lock');
  writeFileSync(path, `4711 erp-server\n${'x'.repeat(1000)}`);
  expect(() => lockFile(path)).toThrow('file is not a database');
  expect(() => lockFile(join(folder, 'missing', 'a.lock'))).toThrow('ENOENT');
});
