import packageJson from '../../package.json' with { type: 'json' };
import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { EVENT_SOURCE, eventSchemas } from '../../lib/contracts/events.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import { ERROR_CODES } from '../../lib/domain/errors.ts';
import type { Language } from '../../lib/domain/language.ts';
import { LEGACY_NAMES } from '../../lib/legacy/protocol.ts';
import { currentContracts } from '../routes.ts';
import { buildExamples } from './examples.ts';
import { buildCurrentOperation, buildLegacyOperation, SHARED_PARAMETERS, TAGS } from './operation-objects.ts';
import { readGuideWithoutTitle } from './published-documents.ts';
import { buildHeaderComponents } from './response-objects.ts';
import { DEMO_ACCOUNT } from './sample-requests.ts';
import { Schemas, toPublished } from './schemas.ts';

export type OpenApiDocument = ReturnType<typeof buildOpenApiDocument>;

const INFO = {
  title: { en: 'Supplier Portal Invoice Service', es: 'Servicio de facturas del portal de prestadores' },
  version: packageJson.version,
  summary: {
    en: 'Suppliers list and view their own invoices, and declare the amounts they bill.',
    es: 'Los prestadores consultan sus propias facturas y declaran los importes que facturan.',
  },
};
const CONTACT = { name: { en: 'Supplier Portal operations', es: 'Operaciones del portal de prestadores' } };
const LICENSE = { name: { en: 'Proprietary', es: 'Propietaria' }, identifier: 'LicenseRef-Proprietary' };

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
  const schemas = new Schemas();
  // The paths are built before the components, because they define the schemas.
  const paths = buildPaths(schemas);
  const description = { en: readGuideWithoutTitle('en'), es: readGuideWithoutTitle('es') };
  // `doc_url` is the section of the reference page that explains each code.
  const errorCodes = Object.entries(ERROR_CODES).map(([code, { status }]) => {
    return { code, status, doc_url: '/docs/#description/errors' };
  });
  const document = {
    openapi: '3.1.0',
    info: { ...INFO, description, contact: CONTACT, license: LICENSE },
    servers: SERVERS,
    'x-error-codes': errorCodes,
    tags: Object.values(TAGS),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: SHARED_PARAMETERS,
      headers: buildHeaderComponents(),
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
  for (const [name, names] of Object.entries(LEGACY_NAMES)) {
    const path = legacyDispatchContract.path.replace('{WSName}', name);
    paths[path] = { post: buildLegacyOperation(name, names, selectExamples(name), schemas) };
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
