import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { codesIn, ERROR_CODES, type ErrorCode } from '../../lib/domain/errors.ts';
import { buildErrorName, pageMeta } from '../../lib/contracts/fields.doc.ts';
import { legacyDispatchContract, buildLegacyError, legacySuccess } from '../../lib/contracts/legacy-dispatch.ts';
import { ANSWER_NAMES, type FieldNames, type LegacyNames } from '../../lib/legacy/protocol.ts';
import { contractDocs, type ContractName } from '../routes.ts';
import { accessText, type Operation } from './current-operation.ts';
import { json, sharedParameters, TAGS } from './operation.ts';
import { responsesOf } from './responses.ts';
import type { Naming, Schemas } from './schemas.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

export function legacyOperation(name: string, { contract, request }: LegacyNames, schemas: Schemas): Operation {
  const body = schemas.define(`${name}Request`, () =>
    withFields(schemas.refer({ ...contract.request }, naming(currentToLegacy(request))), {
      WSAutorizacion: schemas.refer(legacyDispatchContract.request.properties.WSAutorizacion),
    }),
  );
  const success = schemas.define(`${name}Answer`, () => successSchema(contract, schemas));
  const errors = [...codesIn('all', 'supplier'), ...(contract.errors ?? [])].map((code) => {
    const { status, isRetryable } = ERROR_CODES[code];
    return { status: isRetryable ? status : 200, kind: code, schema: errorSchema(code, schemas) };
  });
  const { language } = schemas;
  const { Tenant } = sharedParameters(language);
  const mustMatch = { en: 'if it is sent, it must be that of the key', es: 'si se envía, debe ser el de la clave' };
  const summary = contractDocs[contract.name as ContractName].summary[language];
  const description = contractDocs[legacyDispatchContract.name].description[language];
  return {
    operationId: name,
    tags: [TAGS[legacyDispatchContract.tag].name[language]],
    summary: `${name}: ${summary[0]?.toLowerCase()}${summary.slice(1)}`,
    description: `${description}\n\n${accessText(contract.access, language)}`,
    security: [],
    parameters: [{ ...Tenant, required: false, description: `${Tenant.description}; ${mustMatch[language]}` }],
    requestBody: { required: true, content: json(body) },
    responses: responsesOf([{ status: 200, kind: 'Success', schema: success }, ...errors], schemas),
  };
}

/** Builds the schema of a success: `Resultado`, the data of the endpoint, and the page of a list. */
function successSchema({ response, isPaged }: LegacyNames['contract'], schemas: Schemas): JsonSchema {
  const { properties, required } = response as { properties: Properties; required: readonly string[] };
  const page = isPaged && {
    properties: { ...properties, ...pageMeta.properties },
    required: [...required, ...pageMeta.required],
  };
  return withFields(schemas.refer({ ...response, ...page }, naming(ANSWER_NAMES)), {
    Resultado: schemas.define('LegacySuccess', () => legacySuccess),
  });
}

function errorSchema(code: ErrorCode, schemas: Schemas): JsonSchema {
  const { properties, ...answer } = buildLegacyError(code);
  const name = `Legacy${buildErrorName(code)}`;
  return schemas.define(`${name}Answer`, () => ({
    ...answer,
    properties: { Resultado: schemas.define(name, () => properties.Resultado) },
  }));
}

function currentToLegacy(names: FieldNames): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([legacyName, name]) =>
      typeof name === 'string'
        ? [[name, legacyName]]
        : [[name[0], legacyName], ...Object.entries(currentToLegacy(name[1]))],
    ),
  );
}

function naming(names: Readonly<Record<string, string | null>>): Naming {
  return {
    prefix: 'Legacy',
    propertyName: (name) => {
      const legacyName = names[name];
      if (legacyName === undefined) throw new Error(`The field ${name} has no legacy name.`);
      return legacyName;
    },
  };
}

/** Adds required fields to the schema of an object. */
function withFields(schema: JsonSchema, fields: Properties): JsonSchema {
  const { required = [], properties } = schema as { required?: readonly string[]; properties: Properties };
  return { ...schema, required: [...Object.keys(fields), ...required], properties: { ...fields, ...properties } };
}
