import { isDeepStrictEqual } from 'node:util';
import type { EntityKind } from '../../../lib/domain/directory-fields.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import type { RecordChange, RecordKey } from '../tables/directory-records.ts';
import { toFileValue } from './entry-fields.ts';

/** A planned change of an entity of Directory: a tenant, a company, a supplier, a user or an API key. */
export interface DirectoryChange {
  readonly entity: RecordChange<EntityKind>;
  /** The changes and checks of other records in the same transaction, such as the account of a user. */
  readonly relatedChanges: readonly RecordChange[];
  /** The text of a generated API key. The record contains only its hash. */
  readonly generatedKey?: string | undefined;
  /** The properties that keep their value although a file has another value, because a command has set them. */
  readonly keptOverrides?: readonly Readonly<Record<'property' | 'value' | 'reason', string | boolean>>[] | undefined;
}

/** A property before and after a change; null for an absent value. Without the values, they are secret or personal. */
export interface Difference {
  readonly property: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The ids, the e-mail or the name that identify an entity besides its kind and tenant, such as `user_id` and `email` of a user. */
type EntityIds = { readonly [Key in 'company_id' | 'supplier_id' | 'user_id' | 'email' | 'name']?: string | undefined };

/** The result of a change, as `--json` prints it. */
export interface ChangeResult extends EntityIds {
  readonly kind: EntityKind;
  readonly tenant: string;
  /** `left` means that the entity is unchanged. */
  readonly outcome: 'created' | 'changed' | 'left';
  readonly changes: readonly Difference[];
  readonly left_alone?: DirectoryChange['keptOverrides'];
  readonly generated_key?: DirectoryChange['generatedKey'];
}

/** Builds the result that a change has once it is written. A created entity has no differences. */
export function buildResult(change: DirectoryChange): ChangeResult {
  const { key, before, after } = change.entity;
  return {
    kind: key.kind,
    tenant: key.tenant,
    ...identifyEntity(key, { ...before, ...after }),
    outcome: getOutcome(change),
    changes: before ? findDifferences(change) : [],
    left_alone: change.keptOverrides,
    generated_key: change.generatedKey,
  };
}

function getOutcome(change: DirectoryChange): ChangeResult['outcome'] {
  if (!change.entity.before) return 'created';
  return hasWrites(change) ? 'changed' : 'left';
}

/** True if a change writes a record. A record without `after` is only compared with the stored record. */
export function hasWrites({ entity, relatedChanges }: DirectoryChange): boolean {
  return [entity, ...relatedChanges].some(({ after }) => after !== undefined);
}

function identifyEntity({ kind, id }: RecordKey<EntityKind>, { company_id, name, email }: EntityIds): EntityIds {
  if (kind === 'tenant') return {};
  if (kind === 'api_key') return { company_id, name };
  return kind === 'user' ? { user_id: id, email } : { [`${kind}_id`]: id };
}

/** Finds the properties that a change alters. A new password of a user is a difference without values. */
export function findDifferences({ entity, relatedChanges }: DirectoryChange): Difference[] {
  const before = flattenTolerance(entity.before);
  // Without `after`, the entity does not change.
  const after = flattenTolerance(entity.after ?? entity.before);
  const differences = Object.keys({ ...before, ...after })
    .map((property): Difference => ({ property, before: before[property] ?? null, after: after[property] ?? null }))
    .filter((difference) => !isDeepStrictEqual(difference.before, difference.after));
  return relatedChanges.some(changesPassword) ? [...differences, { property: 'password' }] : differences;
}

/** True if a change of an account, which is a separate record of each user, sets another password. */
function changesPassword({ key, before, after }: RecordChange): boolean {
  if (key.kind !== 'account' || !after) return false;
  return after['password_hash'] !== before?.['password_hash'];
}

/** Returns the properties of a record, with those of its tolerance as `tolerance.mode` and so on. */
function flattenTolerance(record: Attributes | null): Attributes {
  const { tolerance, ...properties } = record ?? {};
  const limits = Object.entries(tolerance ?? {}).map(([name, value]) => [`tolerance.${name}`, toFileValue(value)]);
  return { ...properties, ...Object.fromEntries(limits) };
}
