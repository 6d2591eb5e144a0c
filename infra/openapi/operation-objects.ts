import { PORTAL_POLICIES } from '../../lib/access/policies.ts';
import type { JsonSchema, SampleInput } from '../../lib/contracts/contract.ts';
import { buildErrorName, buildSuccessEnvelope, ERROR_ENVELOPES, pageMeta } from '../../lib/contracts/fields.doc.ts';
import { buildLegacyError, legacyDispatchContract, legacySuccess } from '../../lib/contracts/legacy-dispatch.ts';
import { type AccessKind, PERMISSIONS } from '../../lib/domain/directory.ts';
import { selectErrorCodes, ERROR_CODES, type ErrorCode } from '../../lib/domain/errors.ts';
import type { Language, Text } from '../../lib/domain/language.ts';
import { RESPONSE_NAMES, type FieldNames, type LegacyNames } from '../../lib/legacy/protocol.ts';
import { contractDocs, type ContractName, type ServiceContract } from '../routes.ts';
import { toExportName } from '../generate/validator-source.ts';
import { type Answer, buildResponses, type Reference, toJsonContent } from './response-objects.ts';
import type { Published, Schemas } from './schemas.ts';

/** The tags of the document, by the tag of a contract. */
export const TAGS = {
  Session: {
    name: { en: 'Session', es: 'Sesión' },
    description: {
      en: 'From e-mail and password to an access token.',
      es: 'Del correo electrónico y la contraseña al token de acceso.',
    },
  },
  Invoices: {
    name: { en: 'Invoices', es: 'Facturas' },
    description: {
      en: 'What the service knows of the invoices of the supplier behind the token.',
      es: 'Lo que el servicio sabe de las facturas del prestador al que pertenece el token.',
    },
  },
  Declarations: {
    name: { en: 'Declarations', es: 'Declaraciones' },
    description: {
      en: 'The amounts that the supplier bills, and what becomes of them.',
      es: 'Los importes que el prestador factura y qué resulta de ellos.',
    },
  },
  Legacy: {
    name: { en: 'Legacy', es: 'Protocolo anterior' },
    description: {
      en: 'The same invoices, rules, permissions and limits in the form of the legacy protocol, under names of our own.',
      es: 'Las mismas facturas, reglas, permisos y límites en la forma del protocolo anterior, con nombres nuestros.',
    },
  },
};

const TEXT = { type: 'string' };

/** The headers that several operations take, which the document contains once. */
export const SHARED_PARAMETERS = {
  Tenant: {
    name: 'tenant',
    in: 'header',
    required: true,
    description: { en: 'The assigned tenant domain', es: 'El dominio del tenant asignado' },
    schema: { ...TEXT, minLength: 1 },
  },
  LoginApiKey: {
    name: 'X-API-Key',
    in: 'header',
    required: false,
    description: {
      en: 'Accepted and ignored: a login needs no API key',
      es: 'Se acepta y se ignora: el login no necesita la clave de API',
    },
    schema: TEXT,
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: {
      en: 'In which language messages are: Spanish where it is preferred (`es`, `es-AR`, weights too), else English; codes, names and fixed messages stay',
      es: 'En qué idioma están los mensajes: español si se prefiere (`es`, `es-AR`, también con pesos); si no, inglés; los códigos, los nombres y los mensajes fijos no cambian',
    },
    schema: TEXT,
  },
};

/** The security of all operations except the login: both the token and the API key. */
const SECURITY: readonly Readonly<Record<string, readonly string[]>>[] = [{ token: [], apiKey: [] }];

type Properties = Readonly<Record<string, JsonSchema>>;

/** An operation in one language. */
export type Operation = Published<ReturnType<typeof buildCurrentOperation>>;

export function buildCurrentOperation(contract: ServiceContract, schemas: Schemas) {
  const { name, tag, access, source, request, errors = [] } = contract;
  const { summary, description } = contractDocs[name];
  const parameters = [
    referToParameter('Tenant'),
    ...(access ? [] : [referToParameter('LoginApiKey')]),
    referToParameter('AcceptLanguage'),
    ...(source === 'body' ? [] : buildParameters(contract, schemas)),
  ];
  const requestBody = source === 'body' && { required: true, content: toJsonContent(schemas.refer(request)) };
  const success = schemas.define(`${toExportName(`-${name}`)}Answer`, () =>
    schemas.refer(buildSuccessEnvelope(contract)),
  );
  const codes = [...selectErrorCodes('all'), ...errors, ...(access ? selectErrorCodes('token', 'supplier') : [])];
  const failures = codes.map((code) => ({
    status: ERROR_CODES[code].status,
    kind: code,
    schema: schemas.refer(ERROR_ENVELOPES[code]),
    // The response to a login during a lockout contains only Retry-After.
    countsRate: access !== null || code !== 'RATE_LIMITED',
  }));
  return {
    operationId: name as string,
    tags: [TAGS[tag].name],
    summary,
    description: access ? addAccessToDescription(description, access) : description,
    security: access ? SECURITY : [],
    parameters,
    ...(requestBody && { requestBody }),
    responses: buildResponses([{ status: 200, kind: 'Success', schema: success }, ...failures], schemas),
  };
}

/** Adds the required permission and its limit to the description of an operation. */
function addAccessToDescription(description: Text, access: AccessKind): Text {
  const { limit, windowMs } = PORTAL_POLICIES[access];
  const permission = `\`${PERMISSIONS[access]}\``;
  const seconds = windowMs / 1000;
  const [reads, lecturas] = access === 'read' ? ['reads', 'lecturas'] : ['writes', 'escrituras'];
  return {
    en: `${description.en}\n\nPermission: ${permission}. Limit: ${limit} ${reads} in ${seconds} seconds, per tenant and user.`,
    es: `${description.es}\n\nPermiso: ${permission}. Límite: ${limit} ${lecturas} en ${seconds} segundos, por tenant y usuario.`,
  };
}

/** Builds the parameters of the path or of the query from the properties of the request. */
function buildParameters({ name: operation, source, request }: ServiceContract, schemas: Schemas) {
  const required = request['required'] as readonly string[];
  const sample = contractDocs[operation].sample as SampleInput;
  const properties = request['properties'] as Properties;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: source as string,
    required: required.includes(name),
    description: description as string | Text,
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

/** Builds an operation of the legacy route, which is an operation of the current interface with other names. */
export function buildLegacyOperation(
  name: string,
  { contract, request }: LegacyNames,
  schemas: Schemas,
): ReturnType<typeof buildCurrentOperation> {
  const body = schemas.define(`${name}Request`, () =>
    // A copy of the request has no name in the document. Therefore `refer` returns a schema instead of a reference.
    addFields(schemas.refer({ ...contract.request }, toLegacyNames(request)), {
      WSAutorizacion: schemas.refer(legacyDispatchContract.request.properties.WSAutorizacion),
    }),
  );
  const success = schemas.define(`${name}Answer`, () => buildLegacySuccess(contract, schemas));
  const errors = [...selectErrorCodes('all', 'supplier'), ...(contract.errors ?? [])].map((code): Answer => {
    const { status, isRetryable } = ERROR_CODES[code];
    return { status: isRetryable ? status : 200, kind: code, schema: referToLegacyError(code, schemas) };
  });
  const { Tenant } = SHARED_PARAMETERS;
  const mustMatch = { en: 'if it is sent, it must be that of the key', es: 'si se envía, debe ser el de la clave' };
  const tenantText = buildText((language) => `${Tenant.description[language]}; ${mustMatch[language]}`);
  const { summary } = contractDocs[contract.name as ContractName];
  return {
    operationId: name,
    tags: [TAGS.Legacy.name],
    summary: buildText((language) => `${name}: ${summary[language][0]?.toLowerCase()}${summary[language].slice(1)}`),
    description: addAccessToDescription(contractDocs[legacyDispatchContract.name].description, contract.access),
    security: [],
    parameters: [{ ...Tenant, required: false, description: tenantText }],
    requestBody: { required: true, content: toJsonContent(body) },
    responses: buildResponses([{ status: 200, kind: 'Success', schema: success }, ...errors], schemas),
  };
}

/** Builds the schema of a success: `Resultado`, the data of the endpoint, and the page of a list. */
function buildLegacySuccess({ response, isPaged }: LegacyNames['contract'], schemas: Schemas): JsonSchema {
  const { properties, required } = response as { properties: Properties; required: readonly string[] };
  const page = isPaged && {
    properties: { ...properties, ...pageMeta.properties },
    required: [...required, ...pageMeta.required],
  };
  return addFields(schemas.refer({ ...response, ...page }, RESPONSE_NAMES), {
    Resultado: schemas.define('LegacySuccess', () => legacySuccess),
  });
}

/** Returns a reference to the schema of an error of the legacy route, which it defines if necessary. */
function referToLegacyError(code: ErrorCode, schemas: Schemas): JsonSchema {
  const { properties, ...answer } = buildLegacyError(code);
  const name = `Legacy${buildErrorName(code)}`;
  return schemas.define(`${name}Answer`, () => ({
    ...answer,
    properties: { Resultado: schemas.define(name, () => properties.Resultado) },
  }));
}

/** Returns the legacy name of each property, and of the properties of its items, by the current name. */
function toLegacyNames(names: FieldNames): Readonly<Record<string, string>> {
  const legacyNames: Record<string, string> = {};
  for (const [legacyName, name] of Object.entries(names)) {
    if (typeof name === 'string') {
      legacyNames[name] = legacyName;
    } else {
      const [listName, itemNames] = name;
      legacyNames[listName] = legacyName;
      Object.assign(legacyNames, toLegacyNames(itemNames));
    }
  }
  return legacyNames;
}

function referToParameter(name: keyof typeof SHARED_PARAMETERS): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

function buildText(build: (language: Language) => string): Text {
  return { en: build('en'), es: build('es') };
}

/** Adds required fields to the schema of an object. */
function addFields(schema: JsonSchema, fields: Properties): JsonSchema {
  const { required = [], properties } = schema as { required?: readonly string[]; properties: Properties };
  return { ...schema, required: [...Object.keys(fields), ...required], properties: { ...fields, ...properties } };
}
