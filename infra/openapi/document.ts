import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { EVENT_SOURCE, eventSchemas } from '../../lib/contracts/events.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import type { Language } from '../../lib/domain/language.ts';
import { LEGACY_NAMES } from '../../lib/legacy/protocol.ts';
import { currentContracts } from '../routes.ts';
import { INFO, RESPONSE_HEADERS, SECURITY_SCHEMES, SERVERS, SHARED_PARAMETERS, TAGS } from './document-parts.ts';
import { buildExamples } from './examples.ts';
import { buildCurrentOperation, buildLegacyOperation } from './operation-objects.ts';
import { toPublished } from './published.ts';
import { readGuideWithoutTitle } from './published-documents.ts';
import { DEMO_ACCOUNT } from './sample-requests.ts';
import { Schemas } from './schemas.ts';

export type OpenApiDocument = ReturnType<typeof buildOpenApiDocument>;

/** Builds the OpenAPI 3.1 document of the interface in a language from the contracts and the integrators' guide. */
export function buildOpenApiDocument(language: Language) {
  const schemas = new Schemas();
  // `buildPaths` adds the named schemas of all operations to `schemas`. Therefore it precedes the components.
  const paths = buildPaths(schemas);
  const description = { en: readGuideWithoutTitle('en'), es: readGuideWithoutTitle('es') };
  const document = {
    openapi: '3.1.0',
    info: { ...INFO, description },
    servers: SERVERS,
    tags: Object.values(TAGS),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: SHARED_PARAMETERS,
      headers: RESPONSE_HEADERS,
      schemas: schemas.named,
    },
  };
  return toPublished(document, language);
}

function buildPaths(schemas: Schemas) {
  const paths: Record<string, Record<string, ReturnType<typeof buildCurrentOperation>>> = {};
  const allExamples = buildExamples(DEMO_ACCOUNT);
  const selectExamples = (id: string) => allExamples.filter(({ operationId }) => operationId === id);
  for (const contract of currentContracts) {
    const { name, path, method } = contract;
    const operation = buildCurrentOperation(contract, selectExamples(name), schemas);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  for (const [name, legacyNames] of Object.entries(LEGACY_NAMES)) {
    const path = legacyDispatchContract.path.replace('{WSName}', name);
    paths[path] = { post: buildLegacyOperation(name, legacyNames, selectExamples(name), schemas) };
  }
  return paths;
}

/** Builds a JSON Schema (draft-07) of the events that EventBridge sends to a target, with a definition for each type. */
export function buildEventsDocument() {
  const definitions: Record<string, JsonSchema> = {};
  for (const [type, detail] of Object.entries(eventSchemas)) {
    definitions[type] = {
      type: 'object',
      required: ['source', 'detail-type', 'detail'],
      properties: { source: { const: EVENT_SOURCE }, 'detail-type': { const: type }, detail },
    };
  }
  const document = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Events of the Supplier Portal Invoice Service',
    description: 'Later versions can add fields. An incompatible change gets another detail.version.',
    oneOf: Object.keys(eventSchemas).map((type) => ({ $ref: `#/definitions/${type}` })),
    definitions,
  };
  return toPublished(document, 'en');
}
