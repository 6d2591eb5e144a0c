import type { Contract, JsonSchema } from '../../lib/contracts/contract.ts';
import { successEnvelope } from '../../lib/contracts/envelopes.ts';
import { STATUS_OF } from '../../lib/contracts/statuses.ts';
import { type AccessKind, PERMISSIONS } from '../../lib/domain/directory.ts';
import type { ErrorCode } from '../../lib/domain/errors.ts';
import { PORTAL_POLICIES } from '../../lib/rate-limit/policies.ts';
import { json, type Operation, type Parameter, parameterReference } from './operation.ts';
import { type Answer, errorSchema, responsesOf } from './responses.ts';
import { operationName } from './schema-names.ts';
import type { Schemas } from './schemas.ts';

const OF_ALL: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'COMPANY_SUSPENDED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const OF_PROTECTED: readonly ErrorCode[] = ['TOKEN_EXPIRED', 'FORBIDDEN'];

/** An operation of the current interface. */
export function currentOperation(contract: Contract, schemas: Schemas): Operation {
  const { name, tag, summary, access, source, request } = contract;
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: [contract.description, ...(access ? [accessText(access)] : [])].join('\n\n'),
    security: access ? [{ token: [], apiKey: [] }] : [],
    parameters: [
      parameterReference('Tenant'),
      ...(access ? [] : [parameterReference('LoginApiKey')]),
      parameterReference('AcceptLanguage'),
      ...(source === 'body' ? [] : parametersOf(contract, schemas)),
    ],
    ...(source === 'body' && { requestBody: { required: true, content: json(schemas.refer(request)) } }),
    responses: responsesOf(answersOf(contract, schemas), schemas),
  };
}

/** What every caller of an operation should know of permission and limit. */
export function accessText(access: AccessKind): string {
  const { limit, windowMs } = PORTAL_POLICIES[access];
  const requests = access === 'read' ? 'reads' : 'writes';
  return `Permission: \`${PERMISSIONS[access]}\`. Limit: ${limit} ${requests} in ${windowMs / 1000} seconds, per tenant and user.`;
}

function answersOf(contract: Contract, schemas: Schemas): Answer[] {
  const { name, access, errors } = contract;
  const success = schemas.define(`${operationName(name)}Answer`, () => schemas.refer(successEnvelope(contract)));
  const codes = [...OF_ALL, ...errors, ...(access ? OF_PROTECTED : [])];
  return [
    { status: 200, kind: 'Success', schema: success },
    ...codes.map((code) => ({
      status: STATUS_OF[code],
      kind: code,
      schema: errorSchema(code, schemas),
      // A blocked login is told only when to come back.
      countsRate: access !== null || code !== 'RATE_LIMITED',
    })),
  ];
}

function parametersOf({ source, request }: Contract, schemas: Schemas): Parameter[] {
  const required = request['required'] as readonly string[];
  const properties = request['properties'] as Record<string, JsonSchema>;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: source,
    required: required.includes(name),
    description: String(description),
    schema: schemas.refer(withoutNull(schema)),
  }));
}

/** A parameter has no way to say null. */
function withoutNull({ type, enum: values, ...schema }: JsonSchema): JsonSchema {
  return {
    type: [type].flat().find((name) => name !== 'null'),
    ...schema,
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  };
}
