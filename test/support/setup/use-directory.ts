import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Creates a directory and makes it the working directory of the tests of a file. */
export function useDirectory(): string {
  const before = process.cwd();
  const directory = mkdtempSync(join(tmpdir(), 'test-'));
  beforeAll(() => process.chdir(directory));
  afterAll(() => process.chdir(before));
  return directory;
}
