import type { FromSchema } from 'json-schema-to-ts';
import { API_KEY_SCOPE } from '../../domain/directory.ts';
import { TOLERANCE_MODES } from '../../domain/tolerance.ts';

const object = { type: 'object', additionalProperties: false, description: 'must be an object' } as const;
const id = { type: 'string', pattern: '^[0-9]{1,20}$', description: 'must be a string of 1 to 20 digits' } as const;
const idOrNull = { ...id, type: ['string', 'null'] } as const;
const text = {
  type: 'string',
  pattern: '\\S',
  format: 'text',
  maxLength: 200,
  description: 'must be a text of 1 to 200 characters',
} as const;
const flag = { type: 'boolean', description: 'must be true or false' } as const;
const list = { type: 'array', description: 'must be a list' } as const;
const date = { type: 'string', format: 'iso8601', description: 'must be an ISO 8601 date or date-time' } as const;
const limit = {
  type: ['number', 'null'],
  format: 'limit',
  description: 'must be a number from 0 to 999999999999.99 with at most 6 decimals',
} as const;

const toleranceProperties = {
  mode: { type: 'string', enum: TOLERANCE_MODES, description: `must be one of ${TOLERANCE_MODES.join(', ')}` },
  tolerance_pct: limit,
  tolerance_abs: limit,
  auto_approve: flag,
} as const;

const tolerance = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['mode', 'auto_approve'],
  properties: toleranceProperties,
  description: 'must be an object',
} as const;

/**
 * The schema of each kind of entry; of a tenant, without looking into its lists. An optional property may also be null.
 */
export const directorySchemas = {
  tenant: {
    ...object,
    required: ['tenant'],
    properties: {
      tenant: {
        type: 'string',
        pattern: '^[a-z0-9.-]{1,253}$',
        description: 'must be a domain of lower-case letters, digits, dots and hyphens',
      },
      tolerance,
      companies: list,
      suppliers: list,
      users: list,
      api_keys: list,
    },
  },
  company: {
    ...object,
    required: ['company_id', 'name', 'status'],
    properties: {
      company_id: id,
      name: text,
      status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED'], description: 'must be ACTIVE or SUSPENDED' },
    },
  },
  supplier: {
    ...object,
    required: ['supplier_id', 'name', 'company_id'],
    properties: { supplier_id: id, name: text, company_id: id, tolerance },
  },
  user: {
    ...object,
    required: ['user_id', 'company_id', 'email', 'permissions', 'active', 'license_active'],
    properties: {
      user_id: id,
      company_id: id,
      email: {
        type: 'string',
        pattern: '^[^\\s@]+@[^\\s@]+$',
        format: 'text',
        maxLength: 200,
        description: 'must be an e-mail address of at most 200 characters',
      },
      username: {
        type: ['string', 'null'],
        pattern: '^\\S+$',
        format: 'text',
        maxLength: 200,
        description: 'must be a text of 1 to 200 characters without spaces',
      },
      password: { type: ['string', 'null'], minLength: 1, description: 'must be a text that is not empty' },
      supplier_id: idOrNull,
      permissions: { ...list, items: text },
      active: flag,
      license_active: flag,
      expires_at: { ...date, type: ['string', 'null'] },
    },
  },
  api_key: {
    ...object,
    required: ['company_id', 'name', 'scope', 'status', 'valid_from', 'valid_until'],
    properties: {
      key: {
        type: ['string', 'null'],
        pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        description: 'must be a UUID',
      },
      company_id: id,
      name: text,
      scope: { type: 'string', const: API_KEY_SCOPE, description: `must be ${API_KEY_SCOPE}` },
      status: { type: 'string', enum: ['ACTIVE', 'INACTIVE'], description: 'must be ACTIVE or INACTIVE' },
      valid_from: date,
      valid_until: date,
    },
  },
} as const;

/** The kinds of entries of a directory file. */
export type EntryKind = keyof typeof directorySchemas;

/** What an entry of each kind holds. */
export type EntryValues = { [Kind in EntryKind]: FromSchema<(typeof directorySchemas)[Kind]> };

/** A configured tolerance as it is written in a file. */
export type ToleranceValue = NonNullable<EntryValues['supplier']['tolerance']>;
