import type { Contract, JsonSchema, SampleInput } from '../../lib/contracts/contract.ts';
import { buildSuccessEnvelope } from '../../lib/contracts/fields.doc.ts';
import { codesIn, ERROR_CODES } from '../../lib/domain/errors.ts';
import { type AccessKind, PERMISSIONS } from '../../lib/domain/directory.ts';
import type { Language, Text } from '../../lib/domain/language.ts';
import { PORTAL_POLICIES } from '../../lib/access/policies.ts';
import { contractDocs, type ServiceContract } from '../routes.ts';
import { exportName } from '../validator-source.ts';
import { json, parameterReference, TAGS } from './operation.ts';
import { type Answer, errorSchema, responsesOf } from './responses.ts';
import { type Schemas, translateDescription } from './schemas.ts';

export type Operation = ReturnType<typeof currentOperation>;

export function currentOperation(contract: ServiceContract, schemas: Schemas) {
  const { name, tag, access, source, request } = contract;
  const { language } = schemas;
  const { summary, description } = contractDocs[name];
  return {
    operationId: name as string,
    tags: [TAGS[tag].name[language]],
    summary: summary[language],
    description: [description[language], ...(access ? [accessText(access, language)] : [])].join('\n\n'),
    security: access ? [{ token: [], apiKey: [] }] : [],
    parameters: [
      parameterReference('Tenant'),
      ...(access ? [] : [parameterReference('LoginApiKey')]),
      parameterReference('AcceptLanguage'),
      ...(source === 'body' ? [] : buildParameters(contract, schemas)),
    ],
    ...(source === 'body' && { requestBody: { required: true, content: json(schemas.refer(request)) } }),
    responses: responsesOf(buildResponses(contract, schemas), schemas),
  };
}

/** Describes the permission that an operation requires, and its limit. */
export function accessText(access: AccessKind, language: Language): string {
  const { limit, windowMs } = PORTAL_POLICIES[access];
  const permission = `\`${PERMISSIONS[access]}\``;
  const requests = access === 'read' ? { en: 'reads', es: 'lecturas' } : { en: 'writes', es: 'escrituras' };
  const seconds = windowMs / 1000;
  const text: Text = {
    en: `Permission: ${permission}. Limit: ${limit} ${requests.en} in ${seconds} seconds, per tenant and user.`,
    es: `Permiso: ${permission}. Límite: ${limit} ${requests.es} en ${seconds} segundos, por tenant y usuario.`,
  };
  return text[language];
}

function buildResponses(contract: Contract, schemas: Schemas): Answer[] {
  const { name, access, errors = [] } = contract;
  const success = schemas.define(`${exportName(`-${name}`)}Answer`, () =>
    schemas.refer(buildSuccessEnvelope(contract)),
  );
  const codes = [...codesIn('all'), ...errors, ...(access ? codesIn('token', 'supplier') : [])];
  return [
    { status: 200, kind: 'Success', schema: success },
    ...codes.map((code) => ({
      status: ERROR_CODES[code].status,
      kind: code,
      schema: errorSchema(code, schemas),
      // The response to a login during a lockout contains only Retry-After.
      countsRate: access !== null || code !== 'RATE_LIMITED',
    })),
  ];
}

function buildParameters({ name: operation, source, request }: ServiceContract, schemas: Schemas) {
  const required = request['required'] as readonly string[];
  const sample = contractDocs[operation].sample as SampleInput;
  const properties = request['properties'] as Record<string, JsonSchema>;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: source as string,
    required: required.includes(name),
    description: translateDescription(String(description), schemas.language),
    schema: schemas.refer(removeNull(schema)),
    ...(name in sample && { example: sample[name] as string | number }),
  }));
}

/** Removes null from a schema, because a parameter cannot be null. */
function removeNull({ type, enum: values, ...schema }: JsonSchema): JsonSchema {
  return {
    type: [type].flat().find((name) => name !== 'null'),
    ...schema,
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  };
}
