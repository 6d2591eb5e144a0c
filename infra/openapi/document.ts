import { ERROR_CODES } from '../../lib/domain/errors.ts';
import { demoAccount } from './sample-requests.ts';
import type { Language } from '../../lib/domain/language.ts';
import { contracts } from '../routes.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import { LEGACY_NAMES } from '../../lib/legacy/protocol.ts';
import { currentOperation, type Operation } from './current-operation.ts';
import { type Exchange, withExamples } from './examples.ts';
import { legacyOperation } from './legacy-operation.ts';
import { sharedParameters, TAGS } from './operation.ts';
import { headerComponents } from './responses.ts';
import { publishSchemas, Schemas } from './schemas.ts';

/**
 * Builds the OpenAPI 3.1 document of the interface in a language: the contracts, with the exchanges as examples.
 * `contact` is the author in package.json, and `description` is the guide in Markdown.
 */
export function openApiDocument(
  exchanges: readonly Exchange[],
  { version, contact, description }: { version: string; contact: object; description: string },
  language: Language,
) {
  const isEnglish = language === 'en';
  const schemas = new Schemas(language);
  const parameters = sharedParameters(language);
  const shown = (operation: Operation) =>
    withExamples(
      operation,
      exchanges.filter(({ operationId }) => operationId === operation.operationId),
    );
  const reading = contracts.find(({ access }) => access === 'read');
  const sent = exchanges.filter(({ operationId }) => operationId === reading?.name).map(({ headers }) => headers);
  const current = contracts.filter(({ name }) => name !== legacyDispatchContract.name);
  return {
    openapi: '3.1.0',
    info: {
      title: isEnglish ? 'Supplier Portal Invoice Service' : 'Servicio de facturas del portal de prestadores',
      version,
      summary: isEnglish
        ? 'Suppliers list and open their own invoices, and declare the amounts they bill.'
        : 'Los prestadores consultan sus propias facturas y declaran los importes que facturan.',
      description,
      contact,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      {
        url: 'https://{address}',
        description: isEnglish
          ? 'A deployed service, at the address that you were given at onboarding; it may have a path, such as `/live`'
          : 'Un servicio desplegado, en la dirección que recibió en el alta; puede tener una ruta, como `/live`',
        variables: { address: { default: 'portal.example' } },
      },
      {
        url: 'http://127.0.0.1:3000',
        description: isEnglish
          ? 'The service on your own machine (`npm start`)'
          : 'El servicio en su propia máquina (`npm start`)',
      },
    ],
    // `doc_url` is the section of the reference page that explains each code.
    'x-error-codes': Object.entries(ERROR_CODES).map(([code, { status }]) => {
      return { code, status, doc_url: '/docs/#description/errors' };
    }),
    tags: Object.values(TAGS).map((tag) => ({ name: tag.name[language], description: tag.description[language] })),
    paths: {
      ...Object.fromEntries(
        current.map((contract) => [
          contract.path,
          { [contract.method.toLowerCase()]: shown(currentOperation(contract, schemas)) },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(LEGACY_NAMES).map(([name, names]) => {
          const path = legacyDispatchContract.path.replace('{WSName}', name);
          return [path, { post: shown(legacyOperation(name, names, schemas)) }];
        }),
      ),
    },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: isEnglish
            ? 'The access token: `data.authorization` of the login'
            : 'El token de acceso: `data.authorization` del login',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: isEnglish
            ? 'The API key issued to the company at onboarding'
            : 'La clave de API que la empresa recibió en el alta',
        },
      },
      parameters: { ...parameters, Tenant: { ...parameters.Tenant, example: demoAccount.tenant } },
      headers: headerComponents(Object.assign({}, ...sent.toReversed()), language),
      schemas: publishSchemas(schemas.named, language),
    },
  };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;
