import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { checkingEnvironment } from '../support/answers/checking-environment.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { blockAfter } from '../support/guides/readme.ts';

const heading = 'A client for TypeScript';
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the program that the guide of the client shows', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startLocalService({ demo: true });
  });
  afterAll(() => service.close());

  it('prints what the guide shows', async () => {
    const program = blockAfter('lib/client/README.md', heading, 'ts').replace('http://127.0.0.1:3000', service.url);
    const command = ['--input-type=module-typescript', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      cwd: root,
      env: { ...process.env, ...checkingEnvironment },
    });
    expect(stdout).toBe(blockAfter('lib/client/README.md', heading, 'text'));
  });
});
