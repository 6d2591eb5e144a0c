import { demoAccount } from '../demo-account.ts';
import { contracts } from '../../lib/contracts/contracts.ts';
import type { Contract, ContractTag } from '../../lib/contracts/contract.ts';
import { STATUS_OF } from '../../lib/contracts/statuses.ts';
import { listInvoicesContract } from '../../lib/contracts/list-invoices.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import { LEGACY_NAMES } from '../../lib/legacy/protocol.ts';
import { currentOperation } from './current-operation.ts';
import { type Exchange, withExamples } from './examples.ts';
import { headerComponents } from './headers.ts';
import { legacyOperation } from './legacy-operation.ts';
import { type Operation, PARAMETERS } from './operation.ts';
import { openToNewFields, Schemas } from './schemas.ts';

/**
 * What the document says beside the operations: whom to ask (the `author` in package.json), and how to use the service,
 * in Markdown.
 */
export type DocumentTexts = Readonly<Record<'version' | 'description', string>> & { readonly contact: object };

const TAGS: Readonly<Record<ContractTag, string>> = {
  Session: 'From e-mail and password to an access token.',
  Invoices: 'What the service knows of the invoices of the supplier behind the token.',
  Declarations: 'The amounts that the supplier bills, and what becomes of them.',
  Legacy:
    'The same invoices, rules, permissions and limits in the form of the legacy protocol, under names of our own.',
};

/** The OpenAPI 3.1 document of the interface: the contracts, with the exchanges as examples. */
export function openApiDocument(exchanges: readonly Exchange[], { version, contact, description }: DocumentTexts) {
  const schemas = new Schemas();
  const shown = (operation: Operation, path: string) =>
    withExamples(
      operation,
      path,
      exchanges.filter(({ operationId }) => operationId === operation.operationId),
    );
  const listed = exchanges.filter(({ operationId }) => operationId === listInvoicesContract.name);
  const current = contracts.filter((contract: Contract) => contract !== legacyDispatchContract);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Supplier Portal Invoice Service',
      version,
      summary: 'Suppliers list and open their own invoices, and declare the amounts they bill.',
      description,
      contact,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      {
        url: 'https://{address}',
        description:
          'A deployed service, at the address that you were given at onboarding; it may have a path, such as `/live`',
        variables: { address: { default: 'portal.example' } },
      },
      { url: 'http://127.0.0.1:3000', description: 'The service on your own machine (`npm start`)' },
    ],
    // With where the reference page says what to do.
    'x-error-codes': Object.entries(STATUS_OF).map(([code, status]) => {
      return { code, status, doc_url: `/docs/#error-${code}` };
    }),
    tags: Object.entries(TAGS).map(([name, text]) => ({ name, description: text })),
    paths: {
      ...Object.fromEntries(
        current.map((contract) => [
          contract.path,
          { [contract.method.toLowerCase()]: shown(currentOperation(contract, schemas), contract.path) },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(LEGACY_NAMES).map(([name, names]) => {
          const path = legacyDispatchContract.path.replace('{WSName}', name);
          return [path, { post: shown(legacyOperation(name, names, schemas), path) }];
        }),
      ),
    },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token: `data.authorization` of the login',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'The API key issued to the company at onboarding',
        },
      },
      parameters: { ...PARAMETERS, Tenant: { ...PARAMETERS.Tenant, example: demoAccount.tenant } },
      headers: headerComponents(Object.assign({}, ...listed.map(({ headers }) => headers).toReversed())),
      schemas: openToNewFields(schemas.named),
    },
  };
}

/** The document as a value. */
export type OpenApiDocument = ReturnType<typeof openApiDocument>;
