import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { checkingEnvironment } from '../support/answers/checking-environment.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { blockAfter } from '../support/guides/readme.ts';

const curl = fileURLToPath(new URL('../support/processes/curl.ts', import.meta.url));

const answersIn = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.replace(/"(declaration_id|IdDeclaracion)":"\d{19}"/g, '"$1":"<new>"')) as unknown);

describe('the sessions of README.md', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startLocalService({ demo: true });
  });
  afterAll(() => service.close());

  it.each(['A first session', 'The legacy route'])('%s, pasted into a shell, answers as printed', async (heading) => {
    const session = blockAfter(heading, 'sh').replace('http://127.0.0.1:3000', service.url);
    const script = `curl() { '${process.execPath}' '${curl}' "$@"; }\n${session}`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], {
      env: { ...process.env, ...checkingEnvironment },
    });
    expect(stderr).toBe('');
    expect(answersIn(stdout)).toEqual(answersIn(blockAfter(heading, 'json')));
  });
});
