import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { logIn, demoAccount } from '../../infra/openapi/sample-requests.ts';
import { requestsFile } from '../../infra/openapi/generated-files.ts';
import { parseShownResponses, readSection } from '../support/guides/readme.ts';
import { useLocalService } from '../support/service/local-service.ts';

interface EditorRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const [head = '', ...blocks] = readFileSync(requestsFile, 'utf8').split(/^### .*\n/m);
const variables = Object.fromEntries([...head.matchAll(/^@(\w+) = (.+)$/gm)].map(([, name, value]) => [name, value]));

/** A request with its variables replaced, as an editor does it. */
function parse(block: string, values: Readonly<Record<string, string | undefined>>): EditorRequest {
  const text = block.replaceAll(/\{\{(.+?)\}\}/g, (_, name: string) => values[name] ?? `no value of ${name}`);
  const [top = '', body = ''] = text.replace(/^> .*$/m, '').split(/\n\n(.*)/s);
  const [nameLine = '', requestLine = '', ...headerLines] = top.split('\n');
  const [method = '', url = ''] = requestLine.split(' ');
  const headers = Object.fromEntries(headerLines.filter(Boolean).map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return { name: nameLine.replace('# @name ', ''), method, url, headers, body };
}

const service = useLocalService();
let values: Record<string, string | undefined>;
beforeAll(async () => {
  values = { ...variables, host: service.url };
});

it('the operations of the guide are answered as it shows', async () => {
  const shown = readSection('infra/openapi/guide.md', 'Operations');
  const shownBlocks = (language: string) =>
    [...shown.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block.trim());
  const { tenant, apiKey } = demoAccount;
  const authorization = `Bearer ${await logIn(service.url, demoAccount)}`;
  const headers = { tenant, 'x-api-key': apiKey, authorization, 'content-type': 'application/json' };
  const answers: unknown[] = [];
  for (const request of shownBlocks('http')) {
    const [, method = '', path = '', body] = /^(\S+) (\S+) HTTP\/1\.1(?:\n\n(.+))?$/s.exec(request) ?? [];
    const answer = await fetch(service.url + path, { method, headers, ...(body && { body }) });
    answers.push(await answer.json());
  }
  expect(answers).toEqual(shownBlocks('json').flatMap(parseShownResponses));
  expect(answers).toHaveLength(4);
});

describe('the requests for editors', () => {
  async function send(block: string): Promise<unknown> {
    const { method, url, headers, body } = parse(block, values);
    const response = await fetch(url, { method, headers, ...(body && { body }) });
    return response.json();
  }

  it('start with the login, from whose answer the others take their token', async () => {
    const [login = ''] = blocks;
    expect(parse(login, values).name).toBe('login');
    expect(login).toContain('> {% client.global.set("token", response.body.data.authorization); %}');
    const answer = (await send(login)) as { data: { authorization: string } };
    values['token'] = answer.data.authorization;
  });

  it.each(blocks.slice(1).map((block) => [parse(block, {}).name, block]))('%s succeeds', async (_, block) => {
    const answer = (await send(block)) as { success?: boolean; Resultado?: { Exito: boolean } };
    expect(answer.success ?? answer.Resultado?.Exito, JSON.stringify(answer)).toBe(true);
  });
});
