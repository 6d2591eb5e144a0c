import type { Decimal } from './money.ts';
import { TOLERANCE_MODES } from './tolerance.ts';

/** A field of a record in the table Directory. The files of the command `apply` use the same field names. */
export interface RecordField {
  readonly name: string;
  /** The kind of the values. A day in a file is stored as its first (`start-date`) or last (`end-date`) instant. */
  readonly kind: string;
  readonly choices?: readonly string[];
  /** True if the field can be absent. In a file, null removes the field. */
  readonly isOptional?: true;
  /** True if only files contain the value. The table contains a hash of the value. */
  readonly isSecret?: true;
  /** The writer of a field that files do not contain. Without a writer, the field comes from files. */
  readonly writer?: 'command' | 'login';
}

export const TOLERANCE_FIELDS = [
  { name: 'mode', kind: 'choice', choices: TOLERANCE_MODES },
  { name: 'tolerance_pct', kind: 'limit', isOptional: true },
  { name: 'tolerance_abs', kind: 'limit', isOptional: true },
  { name: 'auto_approve', kind: 'flag' },
] as const satisfies readonly RecordField[];

/** The fields of each entity that files contain, in the order in which a file lists them. */
export const ENTITY_FIELDS = {
  tenant: [
    { name: 'tenant', kind: 'domain' },
    { name: 'tolerance', kind: 'tolerance', isOptional: true },
  ],
  company: [
    { name: 'company_id', kind: 'id' },
    { name: 'name', kind: 'text' },
    { name: 'status', kind: 'choice', choices: ['ACTIVE', 'SUSPENDED'] },
    { name: 'stopped_at', kind: 'time', isOptional: true, writer: 'command' },
  ],
  supplier: [
    { name: 'supplier_id', kind: 'id' },
    { name: 'name', kind: 'text' },
    { name: 'company_id', kind: 'id' },
    { name: 'tolerance', kind: 'tolerance', isOptional: true },
  ],
  user: [
    { name: 'user_id', kind: 'id' },
    { name: 'company_id', kind: 'id' },
    { name: 'email', kind: 'email' },
    { name: 'username', kind: 'username', isOptional: true },
    { name: 'password', kind: 'password', isOptional: true, isSecret: true },
    { name: 'supplier_id', kind: 'id', isOptional: true },
    { name: 'permissions', kind: 'texts' },
    { name: 'active', kind: 'flag' },
    { name: 'stopped_at', kind: 'time', isOptional: true, writer: 'command' },
    // The record of an erased user contains no e-mail. Only its id and its company remain.
    { name: 'erased_at', kind: 'time', isOptional: true, writer: 'command' },
    { name: 'license_active', kind: 'flag' },
    { name: 'expires_at', kind: 'end-date', isOptional: true },
    { name: 'tokens_from', kind: 'time', isOptional: true, writer: 'command' },
    { name: 'player_ids', kind: 'texts', isOptional: true, writer: 'login' },
  ],
  api_key: [
    { name: 'tenant', kind: 'domain', writer: 'command' },
    { name: 'key', kind: 'uuid', isOptional: true, isSecret: true },
    { name: 'company_id', kind: 'id' },
    { name: 'name', kind: 'text' },
    { name: 'scope', kind: 'scope' },
    { name: 'status', kind: 'choice', choices: ['ACTIVE', 'INACTIVE'] },
    { name: 'valid_from', kind: 'start-date' },
    { name: 'valid_until', kind: 'end-date' },
    { name: 'last4', kind: 'text', writer: 'command' },
    { name: 'revoked_at', kind: 'time', isOptional: true, writer: 'command' },
  ],
} as const satisfies Readonly<Record<string, readonly RecordField[]>>;

/** The fields of all records in Directory. An `account` also has the failure counters and trusted sources of logins. */
export const RECORD_FIELDS = {
  ...ENTITY_FIELDS,
  // The user that owns a login name.
  login: [
    { name: 'user_id', kind: 'id' },
    { name: 'company_id', kind: 'id' },
    { name: 'supplier_id', kind: 'id', isOptional: true },
  ],
  account: [
    { name: 'password_hash', kind: 'text', isOptional: true },
    { name: 'tokens_from', kind: 'time', isOptional: true },
  ],
  apiKeyName: [{ name: 'key_hash', kind: 'text' }],
  listedApiKey: [{ name: 'key_hash', kind: 'text' }],
} as const satisfies Readonly<Record<string, readonly RecordField[]>>;

export type FileFieldKind =
  Exclude<FieldOf<EntityKind>, { writer: string }>['kind'] | (typeof TOLERANCE_FIELDS)[number]['kind'];

export type EntityKind = keyof typeof ENTITY_FIELDS;

export type RecordKind = keyof typeof RECORD_FIELDS;

type FieldOf<Kind extends RecordKind> = (typeof RECORD_FIELDS)[Kind][number];

/** The types of values that are not texts, by kind. `Numeric` is the type of a number, and `Absent` of no value. */
interface ValueTypes<Numeric, Absent> {
  readonly flag: boolean;
  readonly texts: readonly string[];
  readonly limit: Numeric;
  readonly tolerance: ValuesOf<(typeof TOLERANCE_FIELDS)[number], Numeric, Absent>;
}

/** The type of a field's value. It is the type of the kind, a union of the choices, or a text. */
type ValueOf<Field extends RecordField, Numeric, Absent> = Field['kind'] extends keyof ValueTypes<Numeric, Absent>
  ? ValueTypes<Numeric, Absent>[Field['kind']]
  : Field extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string;

/** An object with a property for each field of the union `Field`. Optional fields are optional properties. */
type ValuesOf<Field extends RecordField, Numeric, Absent> = {
  readonly [F in Exclude<Field, { isOptional: true }> as F['name']]: ValueOf<F, Numeric, Absent>;
} & {
  readonly [F in Extract<Field, { isOptional: true }> as F['name']]?: ValueOf<F, Numeric, Absent> | Absent;
};

/** A record of Directory. Times are ISO 8601 texts. A field that is undefined is not stored. */
export type DirectoryRecord<Kind extends RecordKind, Numeric = Decimal> = ValuesOf<
  Exclude<FieldOf<Kind>, { isSecret: true }>,
  Numeric,
  undefined
>;

export type ToleranceRecord<Numeric = Decimal> = ValuesOf<(typeof TOLERANCE_FIELDS)[number], Numeric, undefined>;

/** An entry of a file of `apply`. Null removes an optional field. */
export type FileValue<Kind extends EntityKind> = ValuesOf<
  Exclude<FieldOf<Kind>, { writer: string }>,
  number,
  null | undefined
>;

export const isFileField = ({ writer }: RecordField): boolean => writer === undefined;

/** True if commands compare and write a field: not a secret of a file, and not a field that logins write. */
export const isComparedField = ({ isSecret, writer }: RecordField): boolean => !isSecret && writer !== 'login';
