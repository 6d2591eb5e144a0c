import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
// With a space and an accent in its name.
const clone = join(mkdtempSync(join(tmpdir(), 'docs-')), 'facturación (1)');
beforeAll(() => {
  for (const part of ['infra', 'lib', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(clone, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
});

describe('npm run docs', () => {
  const docs = (...words: string[]) =>
    promisify(execFile)(process.execPath, ['infra/openapi/page/build-site.ts', ...words], { cwd: clone });

  it('npm run docs writes the site into a folder of any name, and prints its name', async () => {
    expect(await docs('site año')).toEqual({ stdout: 'Written: site año (open index.html).\n', stderr: '' });
    expect(readdirSync(join(clone, 'site año'))).toContain('index.html');
  });

  it('npm run docs ends with 1 and a sentence if the folder has other files', async () => {
    const stderr = expect.stringMatching(/^infra holds .+: nothing was written\. Name a new or an empty folder\.\n$/);
    await expect(docs('infra')).rejects.toMatchObject({ code: 1, stdout: '', stderr });
  });
});
