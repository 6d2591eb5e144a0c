import { ALL_ERROR_CODES, ERROR_CODES } from '../../lib/domain/errors.ts';
import { LIMITS } from '../../lib/domain/limits.ts';
import type { Contract, JsonSchema } from '../../lib/contracts/contract.ts';
import { pageMeta, replaceFormat, SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import * as fields from '../../lib/contracts/fields.ts';
import { contractDocs, contracts } from '../routes.ts';
import { toExportName } from './validator-source.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

interface ClientType {
  readonly name: string;
  readonly comment: string;
}

/** An interface of the client with the members of an object schema. */
type ClientInterface = ClientType & { readonly schema: JsonSchema };

/** A type of the client that is a union of text values. */
type ClientUnion = ClientType & { readonly values: readonly string[] };

const CLIENT_INTERFACES = listInterfaces();
const stateCodes = fields.invoiceRow.properties.state_code.enum;
const actions = fields.toleranceOutcome.properties.action.enum;
const CLIENT_UNIONS: readonly ClientUnion[] = [
  { name: 'StateCode', comment: 'The code of an invoice state.', values: stateCodes },
  { name: 'ToleranceAction', comment: 'The action for a declared amount.', values: actions },
  { name: 'ErrorCode', comment: 'An error code of the service.', values: ALL_ERROR_CODES },
];

const LIMIT_KEYWORDS = ['pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxLength'];

/** Generates the source of the client's types, of the shapes of responses, and of the limits of a declaration. */
export function generateClientTypes(): string {
  const { rangeDays, pageMax, reads, writes, windowSeconds } = LIMITS;
  const requestLimits = { rangeDays, pageMax, reads, writes, windowSeconds };
  const retryableErrors = Object.values(ERROR_CODES).filter(({ isRetryable }) => isRetryable);
  const retryableStatuses = retryableErrors.map(({ status }) => status);
  const interfaces = CLIENT_INTERFACES.map(({ name, comment, schema }) => {
    return `/** ${comment} */\nexport interface ${name} ${generateMembers(schema)}`;
  });
  const unions = CLIENT_UNIONS.map(({ name, comment, values }) => {
    return `/** ${comment} */\nexport type ${name} = ${joinLiterals(values)};`;
  });
  return [
    '// Generated from the contracts of the service by infra/generate/generate.ts.',
    ...interfaces,
    ...unions,
    '/** The required properties of each response, with the JSON types that they can have. */\n' +
      `export const RESPONSE_SHAPES = ${JSON.stringify(buildResponseShapes(), null, 2)};`,
    '/** The statuses of the errors that are worth a retry. */\n' +
      `export const RETRYABLE_STATUSES: readonly number[] = ${JSON.stringify(retryableStatuses)};`,
    '/** The limits of the service on lists and requests. */\n' +
      `export const REQUEST_LIMITS = ${JSON.stringify(requestLimits)} as const;`,
    '/** The limits of the service on what is declared, to check a form or a file before it is sent. */\n' +
      `export const DECLARATION_LIMITS = ${JSON.stringify(selectDeclarationLimits(), null, 2)} as const;\n`,
  ].join('\n\n');
}

/** Lists the schemas that have a comment (the others are only in the OpenAPI document), and the schemas of a page. */
function listInterfaces(): ClientInterface[] {
  const { invoiceListData } = fields;
  const pageSchema = {
    properties: { ...invoiceListData.properties, ...pageMeta.properties },
    required: [...invoiceListData.required, ...pageMeta.required],
  };
  const interfaces: ClientInterface[] = [];
  for (const { schemas } of [SHARED_SCHEMAS, ...Object.values(contractDocs)]) {
    for (const [name, [schema, comment]] of Object.entries(schemas)) {
      if (comment) interfaces.push({ name, comment, schema });
    }
  }
  interfaces.push({ name: 'PagePosition', comment: 'The position of a page in a list.', schema: pageMeta });
  interfaces.push({ name: 'InvoicePage', comment: 'A page of a list.', schema: pageSchema });
  return interfaces;
}

/** Builds the shapes with which the client checks a response of the current interface, by export name. */
function buildResponseShapes() {
  const currentContracts: readonly Contract[] = contracts.filter(({ tag }) => tag !== 'Legacy');
  const entries = currentContracts.map(({ name, response, isPaged }) => {
    const shape = { data: toShape(response), meta: isPaged ? toShape(pageMeta) : {} };
    return [toExportName(name), shape] as const;
  });
  return Object.fromEntries(entries);
}

/** Converts an object schema to the JSON types of its required properties: `{ declared_amount: 'number null' }`. */
function toShape({ properties, required }: JsonSchema): Readonly<Record<string, string>> {
  const shape: Record<string, string> = {};
  for (const name of required as readonly string[]) {
    const type = (properties as Properties)[name]?.['type'] as string | readonly string[] | undefined;
    // JavaScript has no type for integers.
    shape[name] = [type].flat().join(' ').replace('integer', 'number');
  }
  return shape;
}

function generateMembers({ properties, required = [], additionalProperties }: JsonSchema): string {
  // Only requests allow other properties. A caller can pass undefined in their optional properties, also with the
  // compiler option exactOptionalPropertyTypes.
  const optionalSuffix = additionalProperties === false ? '' : ' | undefined';
  const members = Object.entries(properties as Properties).map(([name, schema]) => {
    const isRequired = (required as readonly string[]).includes(name);
    const declaration = isRequired ? `${name}: ${toType(schema)}` : `${name}?: ${toType(schema)}${optionalSuffix}`;
    return `${generateMemberComment(schema)}  ${declaration};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** Generates the line with the description and the limits of a member; a schema without description has no line. */
function generateMemberComment(schema: JsonSchema): string {
  const { description, maximum } = schema;
  if (typeof description !== 'string') return '';
  const format = (keyword: string) => JSON.stringify(schema[keyword]);
  const facts: string[] = [];
  // MAX_SAFE_INTEGER only excludes numbers that JavaScript cannot represent.
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) {
    facts.push(`from ${format('minimum')} to ${format('maximum')}`);
  }
  if ('maxLength' in schema) facts.push(`at most ${format('maxLength')} characters`);
  if ('default' in schema) facts.push(`by default ${format('default')}`);
  const suffix = facts.length > 0 ? `; ${facts.join(', ')}` : '';
  return `  /** ${description}${suffix}. */\n`;
}

/** Converts a schema to a TypeScript type: the name of an interface or a union if the client has one for the schema. */
function toType(schema: JsonSchema): string {
  const { type, enum: values, const: value, oneOf, items, properties, additionalProperties } = schema;
  const clientInterface = CLIENT_INTERFACES.find((candidate) => candidate.schema === schema);
  if (clientInterface) return clientInterface.name;
  if (value !== undefined) return JSON.stringify(value);
  if (values) return toUnion(values as readonly unknown[]);
  if (oneOf) return (oneOf as readonly JsonSchema[]).map(toType).join(' | ');
  if (Array.isArray(type)) return type.map((name) => toType({ type: name })).join(' | ');
  if (type === 'array') return `(${toType(items as JsonSchema)})[]`;
  if (properties) return generateMembers(schema);
  if (type === 'object') return `Record<string, ${toType(additionalProperties as JsonSchema)}>`;
  return type === 'integer' ? 'number' : String(type);
}

/** Converts the values of an enumeration, one of which may be null, to a named union or to literals. */
function toUnion(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== null);
  const union = CLIENT_UNIONS.find((candidate) => JSON.stringify(candidate.values) === JSON.stringify(texts));
  const type = union?.name ?? joinLiterals(texts);
  return texts.length < values.length ? `${type} | null` : type;
}

function joinLiterals(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

/** Selects the limits of each property that an endpoint with access `write` accepts. */
function selectDeclarationLimits() {
  const limits: Record<string, object> = {};
  for (const { access, request } of contracts) {
    if (access !== 'write') continue;
    for (const [name, schema] of Object.entries(request['properties'] as Properties)) {
      const keywords = Object.entries(replaceFormat(schema));
      limits[name] = Object.fromEntries(keywords.filter(([keyword]) => LIMIT_KEYWORDS.includes(keyword)));
    }
  }
  return limits;
}
