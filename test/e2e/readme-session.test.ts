import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/local-service.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const firstSession = readme.slice(readme.indexOf('## A first session'));

function firstBlock(language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(firstSession)?.[1];
  if (!block) throw new Error(`README.md shows no ${language} in its first session.`);
  return block;
}

const answersIn = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.replace(/"declaration_id":"\d+"/, '"declaration_id":"<new>"')) as unknown);

describe('the first session of README.md', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startLocalService({ demo: true });
  });
  afterAll(() => service.close());

  it('pasted into a shell, answers what README.md prints', async () => {
    const curl = fileURLToPath(new URL('../support/curl.ts', import.meta.url));
    const session = firstBlock('sh').replace('http://127.0.0.1:3000', service.url);
    const script = `curl() { '${process.execPath}' '${curl}' "$@"; }\n${session}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    expect(answersIn(stdout)).toEqual(answersIn(firstBlock('json')));
  });
});
