import packageJson from '../../package.json' with { type: 'json' };
import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { EVENT_SOURCE, eventSchemas } from '../../lib/contracts/events.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import { ERROR_CODES } from '../../lib/domain/errors.ts';
import type { Language } from '../../lib/domain/language.ts';
import { LEGACY_NAMES } from '../../lib/legacy/protocol.ts';
import { currentContracts } from '../routes.ts';
import { buildExamples, type OperationExample } from './examples.ts';
import {
  buildCurrentOperation,
  buildLegacyOperation,
  type Operation,
  SHARED_PARAMETERS,
  TAGS,
} from './operation-objects.ts';
import { readGuideWithoutTitle } from './published-documents.ts';
import { buildHeaderComponents } from './response-objects.ts';
import { DEMO_ACCOUNT } from './sample-requests.ts';
import { Schemas, toPublished } from './schemas.ts';

export type OpenApiDocument = ReturnType<typeof buildOpenApiDocument>;

type Content = Operation['responses'][string]['content'];

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const SERVERS = [
  {
    url: 'https://{address}',
    description: {
      en: 'A deployed service, at the address that you received at onboarding; the address can have a path, such as `/live`',
      es: 'Un servicio desplegado, en la dirección que recibió en el alta; la dirección puede tener una ruta, como `/live`',
    },
    variables: { address: { default: 'portal.example' } },
  },
  {
    url: 'http://127.0.0.1:3000',
    description: {
      en: 'The service on your own machine (`npm start`)',
      es: 'El servicio en su propia máquina (`npm start`)',
    },
  },
];

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: {
      en: 'The access token: `data.authorization` of the login',
      es: 'El token de acceso: `data.authorization` en la respuesta del inicio de sesión',
    },
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: {
      en: 'The API key issued to the company at onboarding',
      es: 'La clave de API que la empresa recibió en el alta',
    },
  },
};

/** Builds the OpenAPI 3.1 document of the interface in a language from the contracts and the integrators' guide. */
export function buildOpenApiDocument(language: Language) {
  const document = toPublished(buildBilingualDocument(), language);
  const allExamples = buildExamples(language, DEMO_ACCOUNT);
  const addExamplesOf = (operation: Operation) => {
    const examples = allExamples.filter(({ operationId }) => operationId === operation.operationId);
    return addExamples(operation, examples);
  };
  return { ...document, paths: mapOperations(document.paths, addExamplesOf) };
}

export function mapOperations(paths: Paths, convert: (operation: Operation) => Operation): Paths {
  const convertMethods = (methods: Paths[string]) =>
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, convert(operation)]));
  return Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, convertMethods(methods)]));
}

/**
 * Builds the document in both languages, without the examples of requests and responses: toPublished would translate
 * the descriptions in them.
 */
function buildBilingualDocument() {
  const schemas = new Schemas();
  // The paths are built before the components, because they define the schemas.
  const paths = buildPaths(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: { en: 'Supplier Portal Invoice Service', es: 'Servicio de facturas del portal de prestadores' },
      version: packageJson.version,
      summary: {
        en: 'Suppliers list and view their own invoices, and declare the amounts they bill.',
        es: 'Los prestadores consultan sus propias facturas y declaran los importes que facturan.',
      },
      description: { en: readGuideWithoutTitle('en'), es: readGuideWithoutTitle('es') },
      contact: { name: 'Supplier Portal operations' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: SERVERS,
    // `doc_url` is the section of the reference page that explains each code.
    'x-error-codes': Object.entries(ERROR_CODES).map(([code, { status }]) => {
      return { code, status, doc_url: '/docs/#description/errors' };
    }),
    tags: Object.values(TAGS),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { ...SHARED_PARAMETERS, Tenant: { ...SHARED_PARAMETERS.Tenant, example: DEMO_ACCOUNT.tenant } },
      headers: buildHeaderComponents(),
      schemas: schemas.named,
    },
  };
}

/** Builds the operations of the current interface, then those of the legacy route. */
function buildPaths(schemas: Schemas) {
  const paths: Record<string, Record<string, ReturnType<typeof buildCurrentOperation>>> = {};
  for (const contract of currentContracts) {
    const operation = buildCurrentOperation(contract, schemas);
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operation };
  }
  for (const [name, names] of Object.entries(LEGACY_NAMES)) {
    const path = legacyDispatchContract.path.replace('{WSName}', name);
    paths[path] = { post: buildLegacyOperation(name, names, schemas) };
  }
  return paths;
}

/** Adds the requests that succeed and all responses to an operation; throws if a status is not documented. */
function addExamples(operation: Operation, examples: readonly OperationExample[]): Operation {
  const { operationId, requestBody } = operation;
  const undocumented = examples.find(({ status }) => !(status in operation.responses));
  if (undocumented) throw new Error(`${operationId} has no response with the status ${undocumented.status}.`);

  const responses: Record<string, (typeof operation.responses)[string]> = {};
  for (const [status, response] of Object.entries(operation.responses)) {
    const examplesOfStatus = examples.filter((example) => String(example.status) === status);
    responses[status] = { ...response, content: addContentExamples(response.content, examplesOfStatus, 'body') };
  }
  if (!requestBody) return { ...operation, responses };
  const successes = examples.filter(({ code }) => code === 'success');
  const content = addContentExamples(requestBody.content, successes, 'input');
  return { ...operation, requestBody: { ...requestBody, content }, responses };
}

/** Adds the requests or the responses of examples to a content. */
function addContentExamples(content: Content, examples: readonly OperationExample[], part: 'input' | 'body') {
  const entries = examples.map((example, index) => {
    const { code, summary, [part]: value } = example;
    return [`${code}-${index + 1}`, { summary, value }] as const;
  });
  return { 'application/json': { ...content['application/json'], examples: Object.fromEntries(entries) } };
}

/** Builds a JSON Schema (draft-07) of the events as EventBridge sends them to a target, with a definition per type. */
export function buildEventsDocument() {
  const definitions: Record<string, JsonSchema> = {};
  for (const [type, detail] of Object.entries(eventSchemas)) {
    definitions[type] = {
      type: 'object',
      required: ['source', 'detail-type', 'detail'],
      properties: { source: { const: EVENT_SOURCE }, 'detail-type': { const: type }, detail },
    };
  }
  return toPublished(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Events of the Supplier Portal Invoice Service',
      description: 'Later versions can add fields. An incompatible change gets another detail.version.',
      oneOf: Object.keys(eventSchemas).map((type) => ({ $ref: `#/definitions/${type}` })),
      definitions,
    },
    'en',
  );
}
