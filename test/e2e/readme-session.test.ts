import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/local-service.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const curl = fileURLToPath(new URL('../support/curl.ts', import.meta.url));

/** The first block of a language after a heading. */
function blockAfter(heading: string, language: string): string {
  const section = readme.slice(readme.indexOf(`\n## ${heading}\n`));
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section)?.[1];
  if (!block) throw new Error(`README.md shows no ${language} under ${heading}.`);
  return block;
}

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
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    expect(answersIn(stdout)).toEqual(answersIn(blockAfter(heading, 'json')));
  });
});
