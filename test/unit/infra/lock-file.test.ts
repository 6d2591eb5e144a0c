import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeLock } from '../../../infra/ops/lock-file.ts';
import { OutputError } from '../../../infra/ops/output-error.ts';

/** The id of a process that has ended. */
const ended = spawnSync(process.execPath, ['--version']).pid;
const own = `${process.pid} ${hostname()}\n`;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'demo.cursor.lock');
});
afterEach(() => void vi.restoreAllMocks());

const names = () => readdirSync(folder);

describe('a lock', () => {
  it('contains the process and its host, and is removed when it is released', () => {
    const release = takeLock(path);
    expect(readFileSync(path, 'utf8')).toBe(own);
    release();
    expect(names()).toEqual([]);
  });

  it('of a process that has ended is taken over', () => {
    writeFileSync(path, `${ended} ${hostname()}\n`);
    const release = takeLock(path);
    expect([names(), readFileSync(path, 'utf8')]).toEqual([['demo.cursor.lock'], own]);
    release();
    expect(names()).toEqual([]);
  });

  it.each([
    ['of a running process', own, `(process ${process.pid} on ${hostname()})`],
    ['of another host', `${ended} elsewhere`, `(process ${ended} on elsewhere)`],
    ['whose owner is not written yet', '', 'is running. If it is not, remove'],
  ])('%s is respected, and the message names it', (_, text, says) => {
    writeFileSync(path, text);
    expect(() => takeLock(path)).toThrow(OutputError);
    expect(() => takeLock(path)).toThrow(says);
    expect([names(), readFileSync(path, 'utf8')]).toEqual([['demo.cursor.lock'], text]);
  });

  it('that another process takes over first is respected', () => {
    writeFileSync(path, `${ended} ${hostname()}\n`);
    vi.spyOn(process, 'kill').mockImplementationOnce(() => {
      writeFileSync(path, own);
      throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
    });
    expect(() => takeLock(path)).toThrow(OutputError);
    expect([names(), readFileSync(path, 'utf8')]).toEqual([['demo.cursor.lock'], own]);
  });

  it('that another process is taking over is respected', () => {
    writeFileSync(path, `${ended} ${hostname()}\n`);
    writeFileSync(`${path}.takeover`, own);
    expect(() => takeLock(path)).toThrow(`remove ${path}.takeover`);
    expect(names()).toHaveLength(2);
  });

  it('that cannot be created is an OutputError', () => {
    expect(() => takeLock(join(folder, 'missing', 'lock'))).toThrow(OutputError);
  });
});
