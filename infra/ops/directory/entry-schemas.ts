import type { JsonSchema } from '../../../lib/contracts/contract.ts';
import {
  ENTITY_FIELDS,
  type EntityKind,
  type FileFieldKind,
  isFileField,
  type RecordField,
  TOLERANCE_FIELDS,
} from '../../../lib/domain/directory-fields.ts';
import { API_KEY_SCOPE } from '../../../lib/domain/directory.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { compileSchema, type FindErrors } from '../find-errors.ts';

/** The lists of a tenant in a file, in an order in which an entry comes after those that it refers to. */
export const LISTS = { companies: 'company', suppliers: 'supplier', users: 'user', api_keys: 'api_key' } as const;

const list = { type: 'array', description: 'must be a list' } as const;
const date = { type: 'string', format: 'iso8601', description: 'must be an ISO 8601 date or date-time' } as const;
const shortText = { type: 'string', format: 'text', maxLength: 200 } as const;
const text = { ...shortText, pattern: '\\S', description: 'must be a string of 1 to 200 characters' } as const;

/** The schemas of values by their kinds; `description` is the reason of an error. */
const BY_KIND = {
  id: {
    type: 'string',
    pattern: `^[0-9]{1,${LIMITS.idDigits}}$`,
    description: `must be a string of 1 to ${LIMITS.idDigits} digits`,
  },
  domain: {
    type: 'string',
    pattern: '^[a-z0-9.-]{1,253}$',
    description: 'must be a domain of lower-case letters, digits, dots and hyphens',
  },
  text,
  email: {
    ...shortText,
    pattern: '^[^\\s@]+@[^\\s@]+$',
    description: 'must be an e-mail address of at most 200 characters',
  },
  username: { ...shortText, pattern: '^\\S+$', description: 'must be a string of 1 to 200 characters without spaces' },
  password: { type: 'string', minLength: 1, description: 'must be a string that is not empty' },
  uuid: { type: 'string', format: 'uuid', description: 'must be a UUID' },
  scope: { type: 'string', const: API_KEY_SCOPE, description: `must be ${API_KEY_SCOPE}` },
  texts: { ...list, items: text },
  flag: { type: 'boolean', description: 'must be true or false' },
  'start-date': date,
  'end-date': date,
  limit: {
    type: 'number',
    format: 'limit',
    description: `must be a number from 0 to ${LIMITS.amountMax} with at most 6 decimals`,
  },
} as const satisfies Readonly<Record<Exclude<FileFieldKind, 'choice' | 'tolerance'>, JsonSchema>>;

const lists = Object.fromEntries(Object.keys(LISTS).map((name) => [name, list]));

/** Finds the schema errors of an entry, by kind. The lists of a tenant are validated separately. */
export const findErrors: Readonly<Record<EntityKind, FindErrors>> = {
  tenant: compileSchema(toSchema(ENTITY_FIELDS.tenant, lists)),
  company: compileSchema(toSchema(ENTITY_FIELDS.company)),
  supplier: compileSchema(toSchema(ENTITY_FIELDS.supplier)),
  user: compileSchema(toSchema(ENTITY_FIELDS.user)),
  api_key: compileSchema(toSchema(ENTITY_FIELDS.api_key)),
};

/** Returns the schema of an object with these fields and other properties. An optional field may also be null. */
function toSchema(specs: readonly RecordField[], others: Readonly<Record<string, JsonSchema>> = {}) {
  const fields = specs.filter(isFileField);
  const properties = fields.map((field) => {
    const schema = toFieldSchema(field);
    return [field.name, field.isOptional ? { ...schema, type: [schema['type'], 'null'] } : schema];
  });
  return {
    type: 'object',
    additionalProperties: false,
    required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    properties: { ...Object.fromEntries(properties), ...others },
    description: 'must be an object',
  } as const;
}

function toFieldSchema({ kind, choices = [] }: RecordField): JsonSchema {
  if (kind === 'tolerance') return toSchema(TOLERANCE_FIELDS);
  if (kind !== 'choice') return BY_KIND[kind as keyof typeof BY_KIND];
  const description = choices.length > 2 ? `must be one of ${choices.join(', ')}` : `must be ${choices.join(' or ')}`;
  return { type: 'string', enum: choices, description };
}
