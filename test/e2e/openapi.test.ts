import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument } from '../../infra/openapi/document.ts';
import { buildExamples } from '../../infra/openapi/examples.ts';
import { DOCUMENT_FILE } from '../../infra/openapi/published-documents.ts';
import { buildRequest, DEMO_ACCOUNT, logIn } from '../../infra/openapi/sample-requests.ts';
import { LANGUAGES } from '../../lib/domain/language.ts';
import { openApi } from '../support/answers/contract-faults.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { moveClock } from '../support/service/service-client.ts';

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

it('the committed document is equal to what `npm run generate` writes', () => {
  expect(openApi).toEqual(JSON.parse(JSON.stringify(buildOpenApiDocument('en'))));
});

it('the document allows additional fields everywhere, so that clients accept fields of a later version', () => {
  const schemas = JSON.stringify(openApi.components.schemas);
  expect(schemas).not.toMatch(/"additionalProperties":false|"maxProperties":0/);
});

it('every object and enumeration has a name, so that generated programs have readable types', () => {
  const { components, paths } = openApi as unknown as { components: { schemas: object }; paths: object };
  const nameless = [...Object.values(components.schemas).flatMap(innerSchemas), paths].flatMap(findNameless);
  expect(nameless).toEqual([]);
});

it.each(LANGUAGES)(
  'the document in %s passes the recommended rules of Redocly, also its examples',
  async (language) => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(buildOpenApiDocument(language));
    const problems = await lintFromString({ source, absoluteRef: fileURLToPath(DOCUMENT_FILE), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  },
);

describe('examples on a service with the demo data', () => {
  const service = useLocalService();

  it('the service responds to each example as the document shows, in both languages', async () => {
    const token = await logIn(service.url, DEMO_ACCOUNT);
    const examples = buildExamples(DEMO_ACCOUNT).flatMap((example) =>
      LANGUAGES.map((language) => ({ ...example, language, body: example.bodies[language] })),
    );
    // The examples of reads show the invoices before any declaration.
    const [reads = [], writes = []] = [false, true].map((isWrite) =>
      examples.filter(({ operationId }) => /declar/i.test(operationId) === isWrite),
    );
    for (const { operationId, language, input, status, body } of [...reads, ...writes]) {
      const { path, ...request } = buildRequest(operationId, input, DEMO_ACCOUNT, token);
      const headers = { ...request.headers, 'Accept-Language': language };
      const response = await fetch(service.url + path, { ...request, headers });
      const received = (await response.json()) as object;
      expect([operationId, response.status, hideRandomValues(received)]).toEqual([
        operationId,
        status,
        hideRandomValues(body),
      ]);
      // Otherwise, the next requests would be above the rate limits.
      await moveClock(service.url, 10);
    }
  });
});

/** Replaces the values that differ in every response. */
function hideRandomValues(body: object): unknown {
  const isRandom = (name: string) =>
    ['authorization', 'declaration_id', 'IdDeclaracion', 'changed_at', 'FechaCambio'].includes(name);
  return JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    isRandom(name) && typeof value === 'string' ? 'random' : value,
  );
}
