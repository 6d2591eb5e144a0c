import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listen, LOCAL_HOST } from '../../infra/local/ports.ts';
import { assemblyDirectory, synthesizeInto, templateFile } from '../../infra/local/synthesize.ts';

const directory = mkdtempSync(join(tmpdir(), 'synthesis-'));
let calls = 0;
const proxy = createServer((socket) => {
  calls += 1;
  socket.destroy();
});
afterAll(() => {
  proxy.close();
  rmSync(directory, { recursive: true });
});

it(
  'a second synthesis in another folder creates the same template and bundles, removes the assets of an earlier one, and makes no network call',
  { tags: 'long' },
  async () => {
    const address = `http://${LOCAL_HOST}:${await listen(proxy, 0)}`;
    const { PATH, HOME } = process.env;
    mkdirSync(join(directory, 'asset.unused/folder'), { recursive: true });
    await synthesizeInto(directory, {
      ...{ PATH, HOME, HTTPS_PROXY: address, HTTP_PROXY: address },
      ...{ AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'sa-east-1' },
    });
    expect(readFileSync(join(directory, basename(templateFile)), 'utf8')).toBe(readFileSync(templateFile, 'utf8'));
    expect(globSync('asset.*', { cwd: directory }).toSorted()).toEqual(
      globSync('asset.*', { cwd: assemblyDirectory }).toSorted(),
    );
    expect(calls).toBe(0);
  },
);
