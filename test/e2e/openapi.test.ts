import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { readStack } from '../../infra/local/read-stack.ts';
import type { Exchange } from '../../infra/openapi/examples.ts';
import { eventsFile } from '../../infra/openapi/events-document.ts';
import { documentFiles, readDocument } from '../../infra/openapi/read-document.ts';
import { GATEWAY_ANSWERS } from '../../infra/openapi/responses.ts';
import { type GeneratedFile, generatedFiles, requestsFile } from '../../infra/openapi/generated-files.ts';
import { recordExchanges } from '../../infra/recording/record-exchanges.ts';
import { ALL_ERROR_CODES } from '../../lib/domain/error-codes.ts';
import { LANGUAGES } from '../../lib/domain/language.ts';
import { openApi, type Pointer, schemaFaults } from '../support/answers/contract-faults.ts';

interface Alternatives {
  readonly anyOf?: readonly object[];
}

/** Every documented answer: its operation, its status, and its schema with the way to it. */
const responses = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    Object.entries(operation.responses).map(([status, { content }]) => {
      const pointer = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
      return [operation.operationId, status, pointer, content['application/json'].schema] as const;
    }),
  ),
);

/** What is in a schema. */
function innerSchemas(schema: object): object[] {
  return Object.values(schema).filter((value) => typeof value === 'object' && value !== null);
}

/** The schemas within this value that a generator would have to find a name for. */
function namelessIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || 'example' in value) return [];
  const { examples: _, ...parts } = value as Record<string, unknown>;
  const isNameless = typeof parts['properties'] === 'object' || Array.isArray(parts['enum']);
  return isNameless && 'type' in parts ? [value] : Object.values(parts).flatMap(namelessIn);
}

const isValid = (pointer: Pointer, body: unknown) => schemaFaults(pointer, JSON.stringify(body)).length === 0;

describe('the OpenAPI document', () => {
  let exchanges: readonly Exchange[];
  let files: GeneratedFile[];
  beforeAll(async () => {
    // Whatever is answered meanwhile is held against the document, as in every test.
    const recorded = await recordExchanges();
    exchanges = recorded.en;
    files = await generatedFiles(recorded);
  });

  it.each([
    ['document', documentFiles.en],
    ['document in Spanish', documentFiles.es],
    ['requests for editors', requestsFile],
    ['schemas of the events', eventsFile],
  ])('is up to date: what `npm run openapi` would write as the %s is committed', (_, { href }) => {
    const generated = files.find(({ file }) => file.href === href);
    expect(generated?.text).toBe(readFileSync(new URL(href), 'utf8'));
  });

  it.each(responses)(
    'promises of %s nothing that has not been brought about: status %s, in each of its forms',
    (operationId, status, pointer, schema) => {
      const { anyOf: forms = [] } = schema as Alternatives;
      const answers = exchanges.filter((one) => one.operationId === operationId && String(one.status) === status);
      expect(answers.length).toBeGreaterThan(0);
      for (const index of forms.keys()) {
        const inForm = answers.filter(({ body }) => isValid([...pointer, 'anyOf', String(index)], body));
        expect(inForm.length, JSON.stringify(forms[index])).toBeGreaterThan(0);
      }
    },
  );

  it('has whatever the gateway of the template can answer by itself, but for the 404 of an unknown path', () => {
    const ofTemplate = readStack().gatewayResponses.map(({ StatusCode, ResponseTemplates }) => {
      const { error } = JSON.parse(ResponseTemplates['application/json'] ?? '{}') as { error?: { code: string } };
      return `${StatusCode} ${error?.code}`;
    });
    const documented = GATEWAY_ANSWERS.map(({ status, code }) => `${status} ${code}`);
    expect(new Set(ofTemplate)).toEqual(new Set([...documented, '404 NOT_FOUND']));
  });

  it('has a name for every object and list of values, so that generated programs have readable types', () => {
    const { components, paths } = openApi as unknown as { components: { schemas: object }; paths: object };
    const nameless = [...Object.values(components.schemas).flatMap(innerSchemas), paths].flatMap(namelessIn);
    expect(nameless).toEqual([]);
  });

  it.each(['en', 'es'] as const)('leads from each error code to what the guide says of it (%s)', (language) => {
    const document = readDocument(language) as { info: { description: string }; 'x-error-codes': object[] };
    const explained = [...document.info.description.matchAll(/^- \*\*`([A-Z_]+)`\*\* \((\d+)\)$/gm)];
    const wanted = explained.map(([, code, status]) => ({
      code,
      status: Number(status),
      doc_url: '/docs/#description/errors',
    }));
    expect(document['x-error-codes']).toEqual(wanted);
    expect(wanted.map(({ code }) => code)).toEqual(ALL_ERROR_CODES);
  });

  it.each(LANGUAGES)('passes the recommended rules of Redocly in %s, without an exception', async (language) => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(readDocument(language));
    const problems = await lintFromString({ source, absoluteRef: fileURLToPath(documentFiles[language]), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });
});
