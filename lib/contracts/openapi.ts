import { PERMISSIONS } from '../domain/directory.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Contract, JsonSchema } from './contract.ts';
import { contracts } from './contracts.ts';
import { legacyAnswer, legacyDispatchContract } from './legacy-dispatch.ts';
import { STATUS_OF } from './statuses.ts';

const ERRORS_OF_ALL: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'COMPANY_SUSPENDED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const ERRORS_OF_PROTECTED: readonly ErrorCode[] = ['TOKEN_EXPIRED', 'FORBIDDEN'];

const text = { type: 'string' } as const;
const page = {
  type: 'object',
  required: ['total', 'limit', 'offset'],
  properties: { total: { type: 'integer' }, limit: { type: 'integer' }, offset: { type: 'integer' } },
};

/** The error envelope of every endpoint. */
export const errorEnvelope = {
  type: 'object',
  additionalProperties: false,
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      additionalProperties: false,
      required: ['code', 'message'],
      properties: {
        code: text,
        message: text,
        details: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['property', 'constraints'],
            properties: {
              property: text,
              constraints: { type: 'object', additionalProperties: text, minProperties: 1 },
            },
          },
        },
      },
    },
  },
} as const satisfies JsonSchema;

/** The success envelope of an endpoint. */
export function successEnvelope({ response, paged }: Contract): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['success', 'data', 'meta'],
    properties: {
      success: { const: true },
      data: response,
      meta: paged ? { ...page, additionalProperties: false } : { type: 'object', maxProperties: 0 },
    },
  };
}

function operationOf(contract: Contract) {
  if (contract === legacyDispatchContract) return legacyOperation;
  const { access } = contract;
  const codes = [...ERRORS_OF_ALL, ...(access ? ERRORS_OF_PROTECTED : []), ...contract.errors];
  const byStatus = Map.groupBy(codes, (code) => STATUS_OF[code]);
  return {
    operationId: contract.name,
    summary: contract.summary,
    ...(access && { description: `Permission: ${PERMISSIONS[access]}` }),
    security: [access ? { token: [], apiKey: [], tenant: [] } : { tenant: [] }],
    ...inputOf(contract),
    responses: {
      200: { description: 'Success', content: json(successEnvelope(contract)) },
      ...Object.fromEntries(
        [...byStatus].map(([status, of]) => [
          status,
          { description: of.join(', '), content: json({ $ref: '#/components/schemas/Error' }) },
        ]),
      ),
    },
  };
}

function inputOf({ source, request }: Contract) {
  if (source === 'body') return { requestBody: { required: true, content: json(request) } };
  const required = request['required'] as readonly string[];
  const properties = request['properties'] as Record<string, JsonSchema>;
  return {
    parameters: Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: source,
      required: required.includes(name),
      ...(typeof description === 'string' && { description }),
      schema,
    })),
  };
}

function json(schema: JsonSchema) {
  return { 'application/json': { schema } };
}

const legacyOperation = {
  operationId: legacyDispatchContract.name,
  summary: legacyDispatchContract.summary,
  description: 'The tenant comes from the Guid. Errors that a client can mend are answered with status 200.',
  security: [],
  parameters: [{ name: 'WSName', in: 'path', required: true, schema: text, example: 'WSListarFacturas' }],
  requestBody: { required: true, content: json(legacyDispatchContract.request) },
  responses: Object.fromEntries(
    [200, 404, 429, 500, 503].map((status) => [status, { description: 'Resultado', content: json(legacyAnswer) }]),
  ),
};

/** The OpenAPI 3.1 document of the interface, made from the contracts. */
export const openApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Supplier Portal Invoice Service', version: '1' },
  servers: [{ url: '/' }],
  paths: Object.fromEntries(
    contracts.map((contract) => [contract.path, { [contract.method.toLowerCase()]: operationOf(contract) }]),
  ),
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      tenant: { type: 'apiKey', in: 'header', name: 'tenant' },
    },
    schemas: { Error: errorEnvelope },
  },
};
