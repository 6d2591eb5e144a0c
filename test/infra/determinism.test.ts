import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { synthesizeInto, templateFile } from '../../infra/local/synthesize.ts';

// The template contains the hashes of the bundles.
it('a second synthesis in another folder creates the same template and bundles', { tags: 'long' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'synthesis-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { PATH, HOME } = process.env;
  await synthesizeInto(folder, { PATH, HOME, AWS_REGION: 'sa-east-1' });
  expect(readFileSync(join(folder, basename(templateFile)), 'utf8')).toBe(readFileSync(templateFile, 'utf8'));
});
