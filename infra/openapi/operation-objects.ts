import type { ContractDoc, JsonSchema } from '../../lib/contracts/contract.ts';
import {
  buildErrorName,
  buildSuccessEnvelope,
  ERROR_ENVELOPES,
  mergeObjects,
  pageMeta,
} from '../../lib/contracts/fields.doc.ts';
import { buildLegacyErrorSchema, legacySuccess } from '../../lib/contracts/legacy-dispatch.doc.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import { closedObject } from '../../lib/contracts/schemas.ts';
import { type AccessKind, PERMISSIONS } from '../../lib/domain/directory.ts';
import { ERROR_CODES, type ErrorCode, selectErrorCodes } from '../../lib/domain/errors.ts';
import type { Text } from '../../lib/domain/language.ts';
import { PORTAL_POLICIES } from '../../lib/domain/policies.ts';
import { type LegacyNames, LIST_FIELD, RESPONSE_NAMES } from '../../lib/legacy/protocol.ts';
import { toTypeName } from '../generate/validator-source.ts';
import { contractDocs, type ContractName, type ServiceContract } from '../routes.ts';
import { SHARED_PARAMETERS, TAGS } from './document-parts.ts';
import type { OperationExample } from './examples.ts';
import type { Published } from './published.ts';
import { buildJsonContent, buildResponses, listGatewayErrors } from './response-objects.ts';
import { isPathParameter } from './sample-requests.ts';
import type { Schemas } from './schemas.ts';

const SECURITY: readonly Readonly<Record<string, readonly string[]>>[] = [{ token: [], apiKey: [] }];

const SHARED_REFERENCES = Object.keys(SHARED_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** An operation in one language. */
export type Operation = Published<ReturnType<typeof buildCurrentOperation>>;

/** Builds an operation of the current interface. Its schemas with a name are added to `schemas`. */
export function buildCurrentOperation(
  contract: ServiceContract,
  examples: readonly OperationExample[],
  schemas: Schemas,
) {
  const { name, tag, access, source, request, errors = [] } = contract;
  const doc = contractDocs[name];
  const { summary, description } = doc;
  const hasBody = source === 'body';
  // The order of these statements is the order of the schemas in the document.
  const requestBody = hasBody ? buildRequestBody(schemas.refer(request), examples) : undefined;
  const success = schemas.define(`${toTypeName(name)}Answer`, schemas.convert(buildSuccessEnvelope(doc)));
  const accessErrors = access ? selectErrorCodes('token', 'supplier') : [];
  const failures = [...selectErrorCodes('all'), ...errors, ...accessErrors].map((code) => {
    return { status: ERROR_CODES[code].status, code, schema: schemas.refer(ERROR_ENVELOPES[code]) };
  });
  const variants = [{ status: 200, code: 'success', schema: success }, ...failures, ...listGatewayErrors(schemas)];
  const ownParameters = hasBody ? [] : buildParameters(contract, examples, schemas);
  return {
    operationId: name as string,
    tags: [TAGS[tag].name],
    summary,
    description: access ? addAccessToDescription(description, access) : description,
    security: access ? SECURITY : [],
    parameters: [...SHARED_REFERENCES, ...ownParameters],
    requestBody,
    responses: buildResponses(variants, examples, { canReportIgnoredFields: hasBody }),
  };
}

function addAccessToDescription(description: Text, access: AccessKind): Text {
  const { limit, windowMs } = PORTAL_POLICIES[access];
  const permission = `\`${PERMISSIONS[access]}\``;
  const seconds = windowMs / 1000;
  const requests = access === 'read' ? { en: 'reads', es: 'lecturas' } : { en: 'writes', es: 'escrituras' };
  return {
    en: `${description.en}\n\nPermission: ${permission}. Limit: ${limit} ${requests.en} in ${seconds} seconds, per tenant and user.`,
    es: `${description.es}\n\nPermiso: ${permission}. Límite: ${limit} ${requests.es} en ${seconds} segundos, por tenant y usuario.`,
  };
}

function buildParameters(contract: ServiceContract, examples: readonly OperationExample[], schemas: Schemas) {
  const { properties = {}, required = [] } = contract.request;
  const inputs = examples.filter(({ code }) => code === 'success').map(({ input }) => input);
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const firstInput = inputs.find((input) => name in input);
    return {
      name,
      in: isPathParameter(contract, name) ? 'path' : 'query',
      required: required.includes(name),
      description: description as string | Text,
      schema: schemas.refer(removeNull(schema)),
      example: firstInput?.[name] as string | number | undefined,
    };
  });
}

/** Removes null from a schema, because a parameter cannot be null. The type `['string', 'null']` becomes `string`. */
function removeNull(schema: JsonSchema): JsonSchema {
  const [type = 'string'] = [schema.type].flat().filter((name) => name !== 'null');
  if (!schema.enum) return { ...schema, type };
  return { ...schema, type, enum: schema.enum.filter((value) => value !== null) };
}

/** Builds an operation of the legacy route, which is an operation of the current interface with other names. */
export function buildLegacyOperation(
  name: string,
  { contract, request }: LegacyNames,
  examples: readonly OperationExample[],
  schemas: Schemas,
): ReturnType<typeof buildCurrentOperation> {
  const { WSAutorizacion } = legacyDispatchContract.request.properties;
  const credentials = closedObject({ WSAutorizacion: schemas.refer(WSAutorizacion) });
  const input = schemas.convert(contract.request, request);
  const body = schemas.define(`${name}Request`, mergeObjects(credentials, input));
  const doc = contractDocs[contract.name as ContractName];
  const success = referToLegacySuccess(name, doc, schemas);
  const { errors = [] } = contract;
  const failures = [...selectErrorCodes('all', 'supplier'), ...errors].map((code) => {
    return { status: getLegacyStatus(code), code, schema: referToLegacyError(code, schemas) };
  });
  const variants = [{ status: 200, code: 'success', schema: success }, ...failures, ...listGatewayErrors(schemas)];
  const { Tenant } = SHARED_PARAMETERS;
  const tenantText = {
    en: `${Tenant.description.en}; if it is sent, it must be the tenant of the API key`,
    es: `${Tenant.description.es}; si se envía, debe ser el tenant de la clave de API`,
  };
  const { summary } = doc;
  return {
    operationId: name,
    tags: [TAGS.Legacy.name],
    summary: { en: `${name}: ${summary.en}`, es: `${name}: ${summary.es}` },
    description: addAccessToDescription(contractDocs[legacyDispatchContract.name].description, contract.access),
    security: [],
    // An empty header counts as not sent.
    parameters: [{ ...Tenant, required: false, description: tenantText, schema: { type: 'string' } }],
    requestBody: buildRequestBody(body, examples),
    responses: buildResponses(variants, examples, { canReportIgnoredFields: false }),
  };
}

/** Returns the status of an error on the legacy route, whose clients read errors from the body. */
function getLegacyStatus(code: ErrorCode): number {
  const { status, isRetryable } = ERROR_CODES[code];
  return isRetryable ? status : 200;
}

/** Refers to the schema of a success, which contains `Resultado`, the data of the endpoint, and the page of a list. */
function referToLegacySuccess(name: string, { response, isPaged }: ContractDoc, schemas: Schemas) {
  const fields = response.type === 'array' ? closedObject({ [LIST_FIELD]: response }) : response;
  const fieldsOfPage = isPaged ? mergeObjects(fields, pageMeta) : fields;
  const data = schemas.convert(fieldsOfPage, RESPONSE_NAMES);
  const result = closedObject({ Resultado: schemas.define('LegacySuccess', legacySuccess) });
  return schemas.define(`${name}Answer`, mergeObjects(result, data));
}

function referToLegacyError(code: ErrorCode, schemas: Schemas): JsonSchema {
  const name = `Legacy${buildErrorName(code)}`;
  const { properties } = buildLegacyErrorSchema(code);
  const result = schemas.define(name, properties.Resultado);
  return schemas.define(`${name}Answer`, closedObject({ Resultado: result }));
}

/** Builds a request body whose examples are the requests that succeed. */
function buildRequestBody(schema: JsonSchema, examples: readonly OperationExample[]) {
  const successes = examples.filter(({ code }) => code === 'success');
  return { required: true, content: buildJsonContent(schema, successes, ({ input }) => input) };
}
