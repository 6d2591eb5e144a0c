import { ALL_ERROR_CODES, ERROR_CODES } from '../../lib/domain/errors.ts';
import { LIMITS } from '../../lib/domain/limits.ts';
import type { Contract, JsonSchema } from '../../lib/contracts/contract.ts';
import { pageMeta, replaceFormat, SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import * as fields from '../../lib/contracts/fields.ts';
import { contractDocs, contracts } from '../routes.ts';
import { toExportName } from './validator-source.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

const { invoiceListData } = fields;
const invoicePage = {
  properties: { ...invoiceListData.properties, ...pageMeta.properties },
  required: [...invoiceListData.required, ...pageMeta.required],
};

/** The types of the client: their names, their comments, and the schemas of the objects that they describe. */
const TYPES: readonly (readonly [name: string, doc: string, schema: JsonSchema])[] = [
  ...[SHARED_SCHEMAS, ...Object.values(contractDocs)].flatMap(({ schemas }) =>
    Object.entries(schemas).flatMap(([name, [schema, comment]]) => (comment ? [[name, comment, schema] as const] : [])),
  ),
  ['PagePosition', 'The position of a page in a list.', pageMeta],
  ['InvoicePage', 'A page of a list.', invoicePage],
];

const ENUMS: readonly (readonly [name: string, doc: string, values: readonly string[]])[] = [
  ['StateCode', 'The code of an invoice state.', fields.invoiceRow.properties.state_code.enum],
  ['ToleranceAction', 'The action for a declared amount.', fields.toleranceOutcome.properties.action.enum],
  ['ErrorCode', 'An error code of the service.', ALL_ERROR_CODES],
];

const retryable = Object.values(ERROR_CODES).filter(({ isRetryable }) => isRetryable);

const { rangeDays, pageMax, reads, writes, windowSeconds } = LIMITS;
const requestLimits = { rangeDays, pageMax, reads, writes, windowSeconds };

const LIMIT_KEYWORDS = ['pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxLength'];

/** Generates the source of the client's types, of the shapes of responses, and of the limits of a declaration. */
export function generateClientTypes(): string {
  const writing = contracts.filter(({ access }) => access === 'write');
  const limits = selectLimits(Object.assign({}, ...writing.map(({ request }) => request['properties'])));
  return [
    '// Generated from the contracts of the service by infra/generate/generate.ts.',
    ...TYPES.map(([name, doc, schema]) => `/** ${doc} */\nexport interface ${name} ${generateMembers(schema)}`),
    ...ENUMS.map(
      ([name, doc, values]) =>
        `/** ${doc} */\nexport type ${name} = ${values.map((value) => JSON.stringify(value)).join(' | ')};`,
    ),
    '/** The required properties of each response, with the JSON types that they can have. */\n' +
      `export const RESPONSE_SHAPES = ${JSON.stringify(buildResponseShapes(), null, 2)};`,
    '/** The statuses of the errors that are worth a retry. */\n' +
      `export const RETRYABLE_STATUSES: readonly number[] = ${JSON.stringify(retryable.map(({ status }) => status))};`,
    '/** The limits of the service on lists and requests. */\n' +
      `export const REQUEST_LIMITS = ${JSON.stringify(requestLimits)} as const;`,
    '/** The limits of the service on what is declared, to check a form or a file before it is sent. */\n' +
      `export const DECLARATION_LIMITS = ${JSON.stringify(limits, null, 2)} as const;\n`,
  ].join('\n\n');
}

function buildResponseShapes() {
  const current: readonly Contract[] = contracts.filter(({ tag }) => tag !== 'Legacy');
  return Object.fromEntries(
    current.map(({ name, response, isPaged }) => [
      toExportName(name),
      { data: toShape(response), meta: isPaged ? toShape(pageMeta) : {} },
    ]),
  );
}

function toShape({ properties, required }: JsonSchema): Readonly<Record<string, string>> {
  const types = (name: string) => [(properties as Properties)[name]?.['type']].flat().join(' ');
  return Object.fromEntries(
    (required as readonly string[]).map((name) => [name, types(name).replace('integer', 'number')]),
  );
}

function generateMembers({ properties, required = [], additionalProperties }: JsonSchema): string {
  // Only requests allow other properties. With exactOptionalPropertyTypes, too, a caller can pass undefined in them.
  const omitted = additionalProperties === false ? '' : ' | undefined';
  const members = Object.entries(properties as Properties).map(([name, schema]) => {
    const [mark, orOmitted] = (required as readonly string[]).includes(name) ? [':', ''] : ['?:', omitted];
    return `${generateDoc(schema)}  ${name}${mark} ${toType(schema)}${orOmitted};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

function generateDoc(schema: JsonSchema): string {
  const { description, maximum } = schema;
  if (typeof description !== 'string') return '';
  const format = (keyword: string) => JSON.stringify(schema[keyword]);
  const hasRange = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  const facts = [
    ...(hasRange ? [`from ${format('minimum')} to ${format('maximum')}`] : []),
    ...('maxLength' in schema ? [`at most ${format('maxLength')} characters`] : []),
    ...('default' in schema ? [`by default ${format('default')}`] : []),
  ];
  return `  /** ${description}${facts.length > 0 ? `; ${facts.join(', ')}` : ''}. */\n`;
}

function toType(schema: JsonSchema): string {
  const { type, enum: values, const: value, oneOf, items, properties, additionalProperties } = schema;
  const named = TYPES.find(([, , one]) => one === schema);
  if (named) return named[0];
  if (value !== undefined) return JSON.stringify(value);
  if (values) return toUnion(values as readonly unknown[]);
  if (oneOf) return (oneOf as readonly JsonSchema[]).map(toType).join(' | ');
  if (Array.isArray(type)) return type.map((one) => toType({ type: one })).join(' | ');
  if (type === 'array') return `(${toType(items as JsonSchema)})[]`;
  if (properties) return generateMembers(schema);
  if (type === 'object') return `Record<string, ${toType(additionalProperties as JsonSchema)}>`;
  return type === 'integer' ? 'number' : String(type);
}

function toUnion(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== null);
  const [name] = ENUMS.find(([, , list]) => JSON.stringify(list) === JSON.stringify(texts)) ?? [];
  return [name ?? texts.map((text) => JSON.stringify(text)), ...(texts.length < values.length ? ['null'] : [])]
    .flat()
    .join(' | ');
}

function selectLimits(properties: Properties) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      Object.fromEntries(Object.entries(replaceFormat(schema)).filter(([keyword]) => LIMIT_KEYWORDS.includes(keyword))),
    ]),
  );
}
