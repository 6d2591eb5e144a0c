import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { lockDataDirectory } from '../../../infra/local/engine.ts';

const parent = mkdtempSync(join(tmpdir(), 'data-'));
const pathOf = (name: string) => join(parent, name);
const modeOf = (name: string) => (statSync(pathOf(name)).mode & 0o777).toString(8);

/** Takes a folder; gives what was said of it meanwhile, and what gives it back. */
function take(name: string) {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const release = lockDataDirectory(pathOf(name));
    return { release, said: stderr.mock.calls.join('') };
  } finally {
    stderr.mockRestore();
  }
}

it('a folder for the data is made so that only its owner may look into it', () => {
  const { release, said } = take('new/own');
  release();
  expect([modeOf('new'), modeOf('new/own'), modeOf('new/own/in-use.sqlite'), said]).toEqual(['700', '700', '600', '']);
});

it('a folder into which others may look stays as it is, with a warning', () => {
  mkdirSync(pathOf('shared'));
  chmodSync(pathOf('shared'), 0o755);
  const { release, said } = take('shared');
  release();
  expect(said).toMatch(/^Warning: other users .* chmod 700 .*shared\n$/);
  expect([modeOf('shared'), modeOf('shared/in-use.sqlite')]).toEqual(['755', '600']);
});

it('data that are in use are refused, until they are given back', () => {
  const { release } = take('used');
  const words = `The data in ${pathOf('used')} are in use by another npm start. Stop it, or use another folder.`;
  expect(() => take('used')).toThrow(words);
  release();
  take('used').release();
});

it('a folder that is a file, or lies in one, is refused, with the reason', () => {
  writeFileSync(pathOf('file'), '');
  for (const name of ['file', 'file/below']) {
    const words = `The data cannot be kept in ${pathOf(name)}: that is a file. Use another folder: --data DIR.`;
    expect(() => take(name)).toThrow(words);
  }
});

// An administrator may write anywhere.
it.skipIf(process.getuid?.() === 0)('a folder that may not be written is refused', () => {
  mkdirSync(pathOf('closed'), { mode: 0o500 });
  expect(() => take('closed')).toThrow(`You may not write into ${pathOf('closed')}.`);
});
