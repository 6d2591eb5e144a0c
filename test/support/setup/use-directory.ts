import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A new directory in which the tests of a file work. */
export function useDirectory(): string {
  const before = process.cwd();
  const directory = mkdtempSync(join(tmpdir(), 'test-'));
  beforeAll(() => process.chdir(directory));
  afterAll(() => process.chdir(before));
  return directory;
}
