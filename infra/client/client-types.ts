import type { Contract, JsonSchema } from '../../lib/contracts/contract.ts';
import { contracts } from '../../lib/contracts/contracts.ts';
import { declareBatchContract } from '../../lib/contracts/declare-batch.ts';
import { declarationRequest } from '../../lib/contracts/declare-invoice.ts';
import { pageMeta } from '../../lib/contracts/envelopes.ts';
import * as fields from '../../lib/contracts/fields.ts';
import { withPattern } from '../../lib/contracts/format-patterns.ts';
import { listInvoicesContract } from '../../lib/contracts/list-invoices.ts';
import { STATUS_OF } from '../../lib/contracts/statuses.ts';
import { validateAmountContract } from '../../lib/contracts/validate-amount.ts';
import { exportName } from '../validator-source.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

const invoicePage = { properties: { ...fields.invoiceListData.properties, ...pageMeta.properties }, required: [] };

/** The types of the client: their names, what they are, and the objects that they describe. */
const TYPES: readonly (readonly [name: string, doc: string, schema: JsonSchema])[] = [
  ['InvoiceQuery', 'Which invoices to list; dates are ISO 8601, without a zone UTC.', listInvoicesContract.request],
  ['Declaration', 'What a supplier declares on an invoice.', declarationRequest],
  ['AmountToCheck', 'An amount to be checked against the tolerance.', validateAmountContract.request],
  ['InvoiceRow', 'An invoice in a list.', fields.invoiceRow],
  ['Concept', 'A line item of an invoice.', fields.concept],
  ['Tolerance', 'The tolerance that applies to a supplier.', fields.tolerance],
  ['InvoiceList', 'The rows of a page, and the tolerance.', fields.invoiceListData],
  ['PagePosition', 'Where a page of a list lies.', pageMeta],
  ['InvoicePage', 'A page of a list.', invoicePage],
  ['InvoiceDetail', 'An invoice with its line items, and the tolerance that applies to it.', fields.invoiceDetailData],
  ['ToleranceOutcome', 'How an amount compares with the tolerance.', fields.toleranceOutcome],
  ['AmountCheck', 'What declaring an amount would do.', fields.amountCheckData],
  ['DeclarationResult', 'What a declaration did.', fields.declarationData],
  ['DeclaredItem', 'A declaration of a batch that was accepted.', fields.declaredItem],
  ['FailedItem', 'A declaration of a batch that failed.', fields.failedItem],
  ['BatchResult', 'What became of each declaration of a batch, in their order.', fields.batchData],
  ['PropertyFault', 'One invalid property, with a message for each constraint that it breaks.', fields.propertyFault],
];

/** The types of the client that are lists of values. */
const ENUMS: readonly (readonly [name: string, doc: string, values: readonly string[]])[] = [
  ['StateCode', 'The code of an invoice state.', fields.invoiceRow.properties.state_code.enum],
  ['ToleranceAction', 'What a declaration of an amount results in.', fields.toleranceOutcome.properties.action.enum],
  ['ErrorCode', 'An error code of the service.', Object.keys(STATUS_OF)],
];

const LIMITS = ['pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxLength'];

/** Returns the source of the client's types, of the shapes of responses, and of the limits of a declaration. */
export function clientTypes(): string {
  const limits = limitsOf({ ...declarationRequest.properties, ...declareBatchContract.request.properties });
  return [
    '// Generated from the contracts of the service by infra/generate.ts.',
    ...TYPES.map(([name, doc, schema]) => interfaceOf(name, doc, schema)),
    ...ENUMS.map(([name, doc, values]) => `/** ${doc} */\nexport type ${name} = ${values.map(toLiteral).join(' | ')};`),
    '/** The required properties of each response, with the JSON types that they can have. */\n' +
      `export const RESPONSE_SHAPES = ${JSON.stringify(responseShapes(), null, 2)};`,
    '/** The limits of the service on what is declared, to check a form or a file before it is sent. */\n' +
      `export const DECLARATION_LIMITS = ${JSON.stringify(limits, null, 2)} as const;\n`,
  ].join('\n\n');
}

function responseShapes() {
  const current: readonly Contract[] = contracts.filter(({ tag }) => tag !== 'Legacy');
  return Object.fromEntries(
    current.map(({ name, response, paged }) => [
      exportName(name),
      { data: shapeOf(response), meta: paged ? shapeOf(pageMeta) : {} },
    ]),
  );
}

function shapeOf({ properties, required }: JsonSchema): Readonly<Record<string, string>> {
  const types = (name: string) => [(properties as Properties)[name]?.['type']].flat().join(' ');
  return Object.fromEntries(
    (required as readonly string[]).map((name) => [name, types(name).replace('integer', 'number')]),
  );
}

/** An interface; what it has in common with others comes from them. */
function interfaceOf(name: string, doc: string, schema: JsonSchema): string {
  const properties = schema['properties'] as Properties;
  const bases = TYPES.filter(([other, , part]) => other !== name && isPartOf(part, properties));
  const inherited = new Set(bases.flatMap(([, , base]) => Object.keys(base['properties'] as Properties)));
  const own = Object.entries(properties).filter(([property]) => !inherited.has(property));
  const heritage = bases.length > 0 ? ` extends ${bases.map(([base]) => base).join(', ')}` : '';
  return `/** ${doc} */\nexport interface ${name}${heritage} ${membersOf(Object.fromEntries(own), schema)}`;
}

function isPartOf({ properties }: JsonSchema, whole: Properties): boolean {
  return Object.entries(properties as Properties).every(([name, schema]) => whole[name] === schema);
}

function membersOf(properties: Properties, { required = [], additionalProperties }: JsonSchema): string {
  // Only requests allow other properties. With exactOptionalPropertyTypes, too, a caller can pass undefined in them.
  const omitted = additionalProperties === false ? '' : ' | undefined';
  const members = Object.entries(properties).map(([name, schema]) => {
    const [mark, orOmitted] = (required as readonly string[]).includes(name) ? [':', ''] : ['?:', omitted];
    return `${docOf(schema)}  ${name}${mark} ${typeOf(schema)}${orOmitted};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

function docOf(schema: JsonSchema): string {
  const { description, maximum } = schema;
  if (typeof description !== 'string') return '';
  const textOf = (keyword: string) => JSON.stringify(schema[keyword]);
  const facts = [
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? []
      : [`from ${textOf('minimum')} to ${textOf('maximum')}`]),
    ...('maxLength' in schema ? [`at most ${textOf('maxLength')} characters`] : []),
    ...('default' in schema ? [`by default ${textOf('default')}`] : []),
  ];
  return `  /** ${description}${facts.length > 0 ? `; ${facts.join(', ')}` : ''}. */\n`;
}

function typeOf(schema: JsonSchema): string {
  const { type, enum: values, const: value, oneOf, items, properties, additionalProperties } = schema;
  const named = TYPES.find(([, , one]) => one === schema);
  if (named) return named[0];
  if (value !== undefined) return toLiteral(value);
  if (values) return unionOf(values as readonly unknown[]);
  if (oneOf) return (oneOf as readonly JsonSchema[]).map(typeOf).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ type: one })).join(' | ');
  if (type === 'array') return `(${typeOf(items as JsonSchema)})[]`;
  if (properties) return membersOf(properties as Properties, schema);
  if (type === 'object') return `Record<string, ${typeOf(additionalProperties as JsonSchema)}>`;
  return type === 'integer' ? 'number' : String(type);
}

function unionOf(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== null);
  const [name] = ENUMS.find(([, , list]) => JSON.stringify(list) === JSON.stringify(texts)) ?? [];
  return [name ?? texts.map(toLiteral), ...(texts.length < values.length ? ['null'] : [])].flat().join(' | ');
}

function toLiteral(value: unknown): string {
  return JSON.stringify(value);
}

function limitsOf(properties: Properties) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      Object.fromEntries(Object.entries(withPattern(schema)).filter(([keyword]) => LIMITS.includes(keyword))),
    ]),
  );
}
