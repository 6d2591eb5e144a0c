import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { pageMeta, replaceFormat, SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import { ALL_ERROR_CODES } from '../../lib/domain/errors.ts';
import { HISTORY_KINDS } from '../../lib/domain/invoice-history.ts';
import { STATE_CODES } from '../../lib/domain/invoice-states.ts';
import { LIMITS } from '../../lib/domain/limits.ts';
import { ACTIONS } from '../../lib/domain/tolerance.ts';
import { contractDocs, contracts, currentContracts } from '../routes.ts';
import { toExportName } from './validator-source.ts';

/** The JSON types of the properties of an object. The shape of a list is only `array`. */
type Shape = Readonly<Record<string, string>> | 'array';

/** The interfaces of the client: the named schemas with a comment. The others are only in the OpenAPI document. */
const CLIENT_INTERFACES = [SHARED_SCHEMAS, ...Object.values(contractDocs)]
  .flatMap(({ schemas }) => Object.entries(schemas))
  .map(([name, [schema, comment]]) => ({ name, comment, schema }))
  .filter(({ comment }) => comment);

const CLIENT_UNIONS = [
  { name: 'StateCode', comment: 'The code of an invoice state.', values: STATE_CODES },
  { name: 'ToleranceAction', comment: 'The action for a declared amount.', values: ACTIONS },
  { name: 'HistoryKind', comment: 'The kind of a change of an invoice.', values: Object.values(HISTORY_KINDS) },
  { name: 'ErrorCode', comment: 'An error code of the service.', values: ALL_ERROR_CODES },
];

/** The keywords of the schemas of a declaration that DECLARATION_LIMITS contains. */
const LIMIT_KEYWORDS = ['pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxLength'];

/** Generates the source of the client's types, of the shapes of responses, and of the limits of the service. */
export function generateClientTypes(): string {
  const { rangeDays, pageMax, reads, writes, windowSeconds } = LIMITS;
  const interfaces = CLIENT_INTERFACES.map(({ name, comment, schema }) => {
    return `/** ${comment} */\nexport interface ${name} ${generateMembers(schema)}`;
  });
  const unions = CLIENT_UNIONS.map(({ name, comment, values }) => {
    return `/** ${comment} */\nexport type ${name} = ${joinLiterals(values)};`;
  });
  const parts = [
    '// Generated from the contracts of the service by infra/generate/generate.ts.',
    ...interfaces,
    ...unions,
    `/** The required properties of each response, with the JSON types that they can have. */
export const RESPONSE_SHAPES = ${JSON.stringify(buildResponseShapes(), null, 2)};`,
    `/** The limits of the service on lists and requests. */
export const REQUEST_LIMITS = ${JSON.stringify({ rangeDays, pageMax, reads, writes, windowSeconds })} as const;`,
    `/** The limits of the service on what is declared, to check a form or a file before it is sent. */
export const DECLARATION_LIMITS = ${JSON.stringify(selectDeclarationLimits(), null, 2)} as const;`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Builds the shapes with which the client checks responses, by endpoint (`declareInvoice`), except the legacy one. */
function buildResponseShapes() {
  const shapes: Record<string, { readonly data: Shape; readonly meta: Shape }> = {};
  for (const { name } of currentContracts) {
    const { response, isPaged } = contractDocs[name];
    shapes[toExportName(name)] = { data: toShape(response), meta: isPaged ? toShape(pageMeta) : {} };
  }
  return shapes;
}

/** Converts the schema of an object to the JSON types of its required properties, and the schema of a list to `array`. */
function toShape({ type, properties = {}, required = [] }: JsonSchema): Shape {
  if (type === 'array') return type;
  const shape: Record<string, string> = {};
  for (const name of required) {
    // The types ['string', 'null'] become `string null`. JavaScript has no type for integers.
    const types = properties[name]?.type ?? '';
    const joinedTypes = typeof types === 'string' ? types : types.join(' ');
    shape[name] = joinedTypes.replace('integer', 'number');
  }
  return shape;
}

function generateMembers({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  // Only the schema of a request allows other properties. In a request, a caller can pass undefined for an optional
  // property, even with the compiler option exactOptionalPropertyTypes.
  const isRequest = additionalProperties !== false;
  const optionalSuffix = isRequest ? ' | undefined' : '';
  const members = Object.entries(properties).map(([name, schema]) => {
    const type = toType(schema);
    const declaration = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type}${optionalSuffix}`;
    return `${generateMemberComment(schema)}  ${declaration};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** Generates the line with the description and the limits of a member, or '' for a schema without a description. */
function generateMemberComment(schema: JsonSchema): string {
  const { description, minimum, maximum, maxLength, default: defaultValue } = schema;
  if (description === undefined) return '';
  const limits: string[] = [];
  // The maximum MAX_SAFE_INTEGER is no limit of the service: it excludes numbers that JavaScript cannot represent.
  const hasMaximum = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  if (hasMaximum) limits.push(`from ${minimum} to ${maximum}`);
  if (maxLength !== undefined) limits.push(`at most ${maxLength} characters`);
  if (defaultValue !== undefined) limits.push(`by default ${defaultValue}`);
  const suffix = limits.length > 0 ? `; ${limits.join(', ')}` : '';
  return `  /** ${description}${suffix}. */\n`;
}

/** Converts a schema to the name of its interface or, without one, to the type of the first keyword that it has. */
function toType(schema: JsonSchema): string {
  const { type, const: value, oneOf, items, properties, additionalProperties } = schema;
  // Every contract that uses a named schema contains the same object, so that a comparison by identity finds it.
  const clientInterface = CLIENT_INTERFACES.find((candidate) => candidate.schema === schema);
  if (clientInterface) return clientInterface.name;
  if (value !== undefined) return JSON.stringify(value);
  if (schema.enum) return toUnion(schema.enum);
  if (oneOf) return oneOf.map(toType).join(' | ');
  if (Array.isArray(type)) return type.map((name: string) => toType({ type: name })).join(' | ');
  if (items) return `(${toType(items)})[]`;
  if (properties) return generateMembers(schema);
  if (type === 'object') return `Record<string, ${toType(additionalProperties as JsonSchema)}>`;
  return type === 'integer' ? 'number' : String(type);
}

/** Converts the values of an enumeration, one of which may be null, to a named union or to literals. */
function toUnion(allValues: readonly unknown[]): string {
  const values = allValues.filter((value) => value !== null);
  const union = CLIENT_UNIONS.find((candidate) => isDeepStrictEqual(candidate.values, values));
  const type = union?.name ?? joinLiterals(values);
  return values.length < allValues.length ? `${type} | null` : type;
}

function joinLiterals(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

/** Selects the limits of the properties of a declaration and of a batch, by name. They have no name in common. */
function selectDeclarationLimits(): Record<string, object> {
  const limits: Record<string, object> = {};
  for (const { access, request } of contracts) {
    if (access !== 'write') continue;
    for (const [name, schema] of Object.entries(request.properties ?? {})) {
      const keywords = Object.entries(replaceFormat(schema));
      limits[name] = Object.fromEntries(keywords.filter(([keyword]) => LIMIT_KEYWORDS.includes(keyword)));
    }
  }
  return limits;
}
