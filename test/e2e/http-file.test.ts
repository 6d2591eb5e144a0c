import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { logIn, DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { openApi } from '../support/answers/contract-faults.ts';
import { parseShownResponses, readSection } from '../support/guides/readme.ts';
import { useLocalService } from '../support/service/local-service.ts';

interface EditorRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const [head = '', ...blocks] = readFileSync('lib/client/examples/portal.http', 'utf8').split(/^### .*\n/m);
const variables = Object.fromEntries([...head.matchAll(/^@(\w+) = (.+)$/gm)].map(([, name, value]) => [name, value]));

/** Parses a request, and replaces its variables as an editor does. */
function parseRequest(block: string, values: Readonly<Record<string, string | undefined>>): EditorRequest {
  const text = block.replaceAll(/\{\{(.+?)\}\}/g, (_, name: string) => values[name] ?? `no value of ${name}`);
  const [top = '', body = ''] = text.replace(/^> .*$/m, '').split(/\n\n(.*)/s);
  const [nameLine = '', requestLine = '', ...headerLines] = top.split('\n');
  const [method = '', url = ''] = requestLine.split(' ');
  const headers = Object.fromEntries(headerLines.filter(Boolean).map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return { name: nameLine.replace('# @name ', ''), method, url, headers, body };
}

const service = useLocalService();

it('the requests in the section Operations of the guide get the responses that the guide shows', async () => {
  const section = readSection('infra/openapi/guide.md', 'Operations');
  const listBlocks = (language: string) =>
    [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block.trim());
  const { tenant, apiKey } = DEMO_ACCOUNT;
  const authorization = `Bearer ${await logIn(service.url, DEMO_ACCOUNT)}`;
  const headers = { tenant, 'x-api-key': apiKey, authorization, 'content-type': 'application/json' };
  const bodies: unknown[] = [];
  for (const request of listBlocks('http')) {
    const [, method = '', path = '', body] = /^(\S+) (\S+) HTTP\/1\.1(?:\n\n(.+))?$/s.exec(request) ?? [];
    const response = await fetch(service.url + path, { method, headers, ...(body && { body }) });
    bodies.push(await response.json());
  }
  expect(bodies).toEqual(listBlocks('json').flatMap(parseShownResponses));
  expect(bodies).toHaveLength(5);
});

it('the requests for editors are one to every operation, and succeed with the token of the first one', async () => {
  const operationIds = Object.values(openApi.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(blocks.map((block) => parseRequest(block, {}).name)).toEqual(operationIds);
  expect(blocks[0]).toContain('> {% client.global.set("token", response.body.data.authorization); %}');
  const token = await logIn(service.url, DEMO_ACCOUNT);
  for (const block of blocks) {
    const { name, method, url, headers, body } = parseRequest(block, { ...variables, host: service.url, token });
    const response = await fetch(url, { method, headers, ...(body && { body }) });
    const received = (await response.json()) as { success?: boolean; Resultado?: { Exito: boolean } };
    expect(received.success ?? received.Resultado?.Exito, name).toBe(true);
  }
});
