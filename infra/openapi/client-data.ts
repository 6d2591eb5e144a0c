import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { declareBatchContract } from '../../lib/contracts/declare-batch.ts';
import { declarationRequest } from '../../lib/contracts/declare-invoice.ts';
import { pageMeta, propertyFault } from '../../lib/contracts/envelopes.ts';
import * as fields from '../../lib/contracts/fields.ts';
import { listInvoicesContract } from '../../lib/contracts/list-invoices.ts';
import { STATUS_OF } from '../../lib/contracts/statuses.ts';
import { validateAmountContract } from '../../lib/contracts/validate-amount.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** A type of the client: its name, what it is, and the object that it describes. */
interface NamedType {
  readonly name: string;
  readonly doc: string;
  readonly schema: JsonSchema;
}

const invoicePage = { properties: { ...fields.invoiceListData.properties, ...pageMeta.properties }, required: [] };

const TYPES: readonly NamedType[] = [
  {
    name: 'InvoiceQuery',
    doc: 'Which invoices to list; dates are ISO 8601, without a zone UTC.',
    schema: listInvoicesContract.request,
  },
  { name: 'Declaration', doc: 'What a supplier declares on an invoice.', schema: declarationRequest },
  {
    name: 'AmountToCheck',
    doc: 'An amount to be checked against the tolerance.',
    schema: validateAmountContract.request,
  },
  { name: 'InvoiceRow', doc: 'An invoice in a list.', schema: fields.invoiceRow },
  { name: 'Concept', doc: 'A line item of an invoice.', schema: fields.concept },
  { name: 'Tolerance', doc: 'The tolerance that applies to a supplier.', schema: fields.tolerance },
  { name: 'InvoiceList', doc: 'The rows of a page, and the tolerance.', schema: fields.invoiceListData },
  { name: 'PagePosition', doc: 'Where a page of a list lies.', schema: pageMeta },
  { name: 'InvoicePage', doc: 'A page of a list.', schema: invoicePage },
  {
    name: 'InvoiceDetail',
    doc: 'An invoice with its line items, and the tolerance that applies to it.',
    schema: fields.invoiceDetailData,
  },
  {
    name: 'ToleranceOutcome',
    doc: 'How an amount compares with the tolerance.',
    schema: fields.toleranceOutcome,
  },
  { name: 'AmountCheck', doc: 'What declaring an amount would do.', schema: fields.amountCheckData },
  { name: 'DeclarationResult', doc: 'What a declaration did.', schema: fields.declarationData },
  { name: 'DeclaredItem', doc: 'A declaration of a batch that was accepted.', schema: fields.declaredItem },
  { name: 'FailedItem', doc: 'A declaration of a batch that failed.', schema: fields.failedItem },
  {
    name: 'BatchResult',
    doc: 'What became of each declaration of a batch, in their order.',
    schema: fields.batchData,
  },
  {
    name: 'PropertyFault',
    doc: 'One invalid property, with a message for each constraint that it breaks.',
    schema: propertyFault,
  },
];

const LIMITS = ['pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxLength'];

/** The client's types of what is sent and answered, and the limits of a declaration, as TypeScript. */
export function clientData(): string {
  const limits = limitsOf({ ...declarationRequest.properties, ...declareBatchContract.request.properties });
  return [
    '// Made of the contracts of the service by `npm run openapi`: change it there.',
    ...TYPES.map(interfaceOf),
    `/** Every error code of the service. */\nexport type ErrorCode = ${union(Object.keys(STATUS_OF))};`,
    '/** The limits of the service on what is declared, to check a form or a file before it is sent. */\n' +
      `export const DECLARATION_LIMITS = ${JSON.stringify(limits)} as const;`,
  ].join('\n\n');
}

/** An interface; what it has in common with others comes from them. */
function interfaceOf({ name, doc, schema }: NamedType): string {
  const properties = schema['properties'] as Properties;
  const bases = TYPES.filter((other) => other.name !== name && isPartOf(other.schema, properties));
  const inherited = new Set(bases.flatMap((base) => Object.keys(base.schema['properties'] as Properties)));
  const own = Object.entries(properties).filter(([property]) => !inherited.has(property));
  const heritage = bases.length > 0 ? ` extends ${bases.map((base) => base.name).join(', ')}` : '';
  return `/** ${doc} */\nexport interface ${name}${heritage} ${membersOf(Object.fromEntries(own), schema)}`;
}

function isPartOf({ properties }: JsonSchema, whole: Properties): boolean {
  return Object.entries(properties as Properties).every(([name, schema]) => whole[name] === schema);
}

function membersOf(properties: Properties, { required = [] }: JsonSchema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = (required as readonly string[]).includes(name) ? '' : '?';
    return `${docOf(schema)}${name}${mark}: ${typeOf(schema)};`;
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
  return `/** ${description}${facts.length > 0 ? `; ${facts.join(', ')}` : ''}. */\n`;
}

function typeOf(schema: JsonSchema): string {
  const { type, enum: values, const: value, oneOf, items, properties, additionalProperties } = schema;
  const named = TYPES.find((one) => one.schema === schema);
  if (named) return named.name;
  if (value !== undefined) return JSON.stringify(value);
  if (values) return union(values as readonly unknown[]);
  if (oneOf) return (oneOf as readonly JsonSchema[]).map(typeOf).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ type: one })).join(' | ');
  if (type === 'array') return `(${typeOf(items as JsonSchema)})[]`;
  if (properties) return membersOf(properties as Properties, schema);
  if (type === 'object') return `Record<string, ${typeOf(additionalProperties as JsonSchema)}>`;
  return type === 'integer' ? 'number' : String(type);
}

function union(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function limitsOf(properties: Properties) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      Object.fromEntries(Object.entries(schema).filter(([keyword]) => LIMITS.includes(keyword))),
    ]),
  );
}
