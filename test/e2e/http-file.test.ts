import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsFile } from '../../infra/openapi/generated-files.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { openApi } from '../support/answers/contract-faults.ts';

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

describe('the requests for editors', () => {
  let service: LocalService;
  let values: Record<string, string | undefined>;
  beforeAll(async () => {
    service = await startLocalService({ demo: true });
    values = { ...variables, host: service.url };
  });
  afterAll(() => service.close());

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

  it('are one for every operation of the OpenAPI document', () => {
    const documented = Object.values(openApi.paths).flatMap((methods) => Object.values(methods));
    expect(blocks.map((block) => parse(block, {}).name)).toEqual(documented.map(({ operationId }) => operationId));
  });
});
