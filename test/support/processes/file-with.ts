import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes code to a new file, which is removed after the test, and returns its path. */
export function fileWith(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'program-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'program');
  writeFileSync(path, code);
  return path;
}
