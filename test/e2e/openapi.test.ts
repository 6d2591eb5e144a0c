import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, expect, it } from 'vitest';
import { readStack } from '../../infra/local/read-stack.ts';
import type { Exchange } from '../../infra/openapi/document.ts';
import { DOCUMENT_FILES, EVENTS_FILE, readDocument } from '../../infra/openapi/published-documents.ts';
import { GATEWAY_RESPONSES } from '../../infra/openapi/response-objects.ts';
import { type GeneratedFile, generateFiles, REQUESTS_FILE } from '../../infra/openapi/generated-files.ts';
import { recordExchanges } from '../../infra/openapi/recording/record-exchanges.ts';
import { LANGUAGES } from '../../lib/domain/language.ts';
import { openApi, type Pointer, findSchemaErrors } from '../support/answers/contract-faults.ts';

/** Every documented response: its operation, its status, and its schema with the path to the schema. */
const responses = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    Object.entries(operation.responses).map(([status, { content }]) => {
      const pointer = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
      return [operation.operationId, status, pointer, content['application/json'].schema] as const;
    }),
  ),
);

/** Returns the objects within a schema. */
function innerSchemas(schema: object): object[] {
  return Object.values(schema).filter((value) => typeof value === 'object' && value !== null);
}

/** Returns the schemas within a value for which a generator would have to invent a name. */
function findNameless(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || 'example' in value) return [];
  const { examples: _, ...parts } = value as Record<string, unknown>;
  const isNameless = typeof parts['properties'] === 'object' || Array.isArray(parts['enum']);
  return isNameless && 'type' in parts ? [value] : Object.values(parts).flatMap(findNameless);
}

const isValid = (pointer: Pointer, body: unknown) => findSchemaErrors(pointer, JSON.stringify(body)).length === 0;

let exchanges: readonly Exchange[];
let files: GeneratedFile[];
beforeAll(async () => {
  // Every response of the recording is compared with the document, as in every test.
  const exchangesByLanguage = await recordExchanges();
  exchanges = exchangesByLanguage.en;
  files = await generateFiles(exchangesByLanguage);
});

it.each([
  ['document', DOCUMENT_FILES.en],
  ['document in Spanish', DOCUMENT_FILES.es],
  ['requests for editors', REQUESTS_FILE],
  ['schemas of the events', EVENTS_FILE],
])('the committed %s is equal to what `npm run openapi` writes', (_, { href }) => {
  const generated = files.find(({ file }) => file.href === href);
  expect(generated?.text).toBe(readFileSync(new URL(href), 'utf8'));
});

it.each(responses)(
  'every documented form of a response is recorded: %s, status %s',
  (operationId, status, pointer, schema) => {
    const { anyOf: forms = [] } = schema as { anyOf?: readonly object[] };
    const recorded = exchanges.filter((one) => one.operationId === operationId && String(one.status) === status);
    expect(recorded.length).toBeGreaterThan(0);
    for (const index of forms.keys()) {
      const inForm = recorded.filter(({ body }) => isValid([...pointer, 'anyOf', String(index)], body));
      expect(inForm.length, JSON.stringify(forms[index])).toBeGreaterThan(0);
    }
  },
);

it('the document contains every response of the gateway itself, except the 404 of an unknown path', () => {
  const templateResponses = readStack().gatewayResponses.map(({ StatusCode, ResponseTemplates }) => {
    const { error } = JSON.parse(ResponseTemplates['application/json'] ?? '{}') as { error?: { code: string } };
    return `${StatusCode} ${error?.code}`;
  });
  const documented = GATEWAY_RESPONSES.map(({ status, code }) => `${status} ${code}`);
  expect(new Set(templateResponses)).toEqual(new Set([...documented, '404 NOT_FOUND']));
});

it('every object and enumeration has a name, so that generated programs have readable types', () => {
  const { components, paths } = openApi as unknown as { components: { schemas: object }; paths: object };
  const nameless = [...Object.values(components.schemas).flatMap(innerSchemas), paths].flatMap(findNameless);
  expect(nameless).toEqual([]);
});

it.each(LANGUAGES)(
  'the document in %s passes the recommended rules of Redocly without an exception',
  async (language) => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(readDocument(language));
    const problems = await lintFromString({ source, absoluteRef: fileURLToPath(DOCUMENT_FILES[language]), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  },
);
