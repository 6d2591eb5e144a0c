import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { runScript } from '../support/processes/run-script.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const docs = (...options: string[]) => runScript('infra/docs/build.ts', options);

describe('npm run docs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docs-'));
  });

  it('writes the site and says where', async () => {
    expect(await docs(folder)).toEqual({ code: 0, stdout: `Written: ${folder} (open index.html).\n`, stderr: '' });
    expect(await readdir(folder)).toContain('index.html');
  });

  it('works in a folder whose name has a space and an accent', async () => {
    const clone = join(folder, 'facturación (1)');
    for (const part of ['infra', 'lib', 'package.json', 'tsconfig.json'])
      await cp(join(root, part), join(clone, part), { recursive: true });
    await symlink(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
    const run = promisify(execFile)(process.execPath, ['infra/docs/build.ts', 'site año'], { cwd: clone });
    expect(await run).toEqual({ stdout: 'Written: site año (open index.html).\n', stderr: '' });
    expect(await readdir(join(clone, 'site año'))).toContain('index.html');
  });

  it('ends with 1 and a sentence where it may not write', async () => {
    await writeFile(join(folder, 'mine.txt'), '');
    const { code, stdout, stderr } = await docs(folder);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`${folder} holds mine.txt: nothing was written. Name a new or an empty folder.\n`);
  });

  it('ends with 1 and a sentence for an address that is none', async () => {
    expect(await docs(folder, '--base-url', 'portal')).toMatchObject({
      code: 1,
      stderr: 'portal is no address of the service, such as https://portal.example.\n',
    });
  });

  it('explains itself', async () => {
    const { code, stdout } = await docs('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: npm run docs -- \[FOLDER\] \[--base-url URL\]\n[^]*CORS/);
  });

  it.each([[['--bse-url', 'https://a.example']], [['a', 'b']], [['--base-url']]])(
    'ends with 2 and one line, with its usage, for %j',
    async (options) => {
      const { code, stderr } = await docs(...options);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^.{1,70} Usage: npm run docs -- \[FOLDER\] \[--base-url URL\]\n$/);
    },
  );
});
