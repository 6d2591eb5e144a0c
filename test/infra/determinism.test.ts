import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { templateFile } from '../../infra/local/synthesize.ts';

const directory = mkdtempSync(join(tmpdir(), 'synthesis-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('a second synthesis, elsewhere, gives the same template with the same bundles, without network or credentials', async () => {
  const cdk = join(import.meta.dirname, '../../node_modules/aws-cdk/bin/cdk');
  const { PATH, HOME } = process.env;
  const nowhere = 'http://127.0.0.1:9';
  await promisify(execFile)(process.execPath, [cdk, 'synth', '--quiet', '--output', directory], {
    env: { PATH, HOME, HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere },
  });
  expect(readFileSync(join(directory, basename(templateFile)), 'utf8')).toBe(readFileSync(templateFile, 'utf8'));
});
