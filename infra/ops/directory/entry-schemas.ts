import type { JsonSchema } from '../../../lib/contracts/contract.ts';
import type { EntityKind, FileFieldKind, RecordField } from '../../../lib/domain/directory-fields.ts';
import { ENTITY_FIELDS, isFileField, TOLERANCE_FIELDS } from '../../../lib/domain/directory-fields.ts';
import { API_KEY_SCOPE } from '../../../lib/domain/directory.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { dateForms } from '../../../lib/domain/texts.ts';
import { compileSchema, type FindErrors } from '../input/compile-schema.ts';

/** The lists of a tenant in a file, in an order in which an entry comes after those that it refers to. */
export const LISTS = { companies: 'company', suppliers: 'supplier', users: 'user', api_keys: 'api_key' } as const;

const list = { type: 'array', description: 'must be a list' };
const shortText = { format: 'text', maxLength: 200 };
const text = buildString('must be a string of 1 to 200 characters', { ...shortText, pattern: '\\S' });
const date = buildString(`must be ${dateForms.en}`, { format: 'iso8601' });

/** The schemas of the kinds of fields, except those that depend on the field. */
const SCHEMAS: Readonly<Record<Exclude<FileFieldKind, 'choice' | 'tolerance'>, JsonSchema>> = {
  id: buildString(`must be a string of 1 to ${LIMITS.idDigits} digits`, { pattern: `^[0-9]{1,${LIMITS.idDigits}}$` }),
  domain: buildString('must be a domain of lower-case letters, digits, dots and hyphens', {
    pattern: '^[a-z0-9.-]{1,253}$',
  }),
  text,
  email: buildString('must be an e-mail address of at most 200 characters', {
    ...shortText,
    pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$',
  }),
  username: buildString('must be a string of 1 to 200 characters without spaces', { ...shortText, pattern: '^\\S+$' }),
  password: buildString('must be a string that is not empty', { minLength: 1 }),
  uuid: buildString('must be a UUID', { format: 'uuid' }),
  scope: buildString(`must be ${API_KEY_SCOPE}`, { const: API_KEY_SCOPE }),
  texts: { ...list, items: text },
  flag: { type: 'boolean', description: 'must be true or false' },
  'start-date': date,
  'end-date': date,
  limit: {
    type: 'number',
    format: 'limit',
    description: `must be a number from 0 to ${LIMITS.amountMax} with at most 6 decimals`,
  },
};

/** The functions that validate an entry of each kind. The entries in the lists of a tenant are validated separately. */
export const findSchemaErrors = Object.fromEntries(
  Object.entries(ENTITY_FIELDS).map(([kind, fields]) => {
    const lists = kind === 'tenant' ? Object.keys(LISTS).map((name) => [name, list]) : [];
    return [kind, compileSchema(buildSchema(fields, Object.fromEntries(lists)))];
  }),
) as Readonly<Record<EntityKind, FindErrors>>;

/** Builds the schema of an object with these fields and other properties. An optional field can also be null. */
function buildSchema(recordFields: readonly RecordField[], otherProperties: JsonSchema): JsonSchema {
  const fields = recordFields.filter(isFileField);
  const properties = fields.map((field) => {
    const schema = buildFieldSchema(field);
    return [field.name, field.isOptional ? { ...schema, type: [schema['type'], 'null'] } : schema];
  });
  return {
    type: 'object',
    additionalProperties: false,
    required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    properties: { ...Object.fromEntries(properties), ...otherProperties },
    description: 'must be an object',
  };
}

function buildFieldSchema({ kind, choices = [] }: RecordField): JsonSchema {
  if (kind === 'tolerance') return buildSchema(TOLERANCE_FIELDS, {});
  if (kind !== 'choice') return SCHEMAS[kind as keyof typeof SCHEMAS];
  const options = choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
  return buildString(`must be ${options}`, { enum: choices });
}

/** Builds the schema of a string. Its description is the message of its errors. */
function buildString(description: string, rules: JsonSchema): JsonSchema {
  return { type: 'string', description, ...rules };
}
