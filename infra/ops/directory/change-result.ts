import { isDeepStrictEqual } from 'node:util';
import type { EntityKind } from '../../../lib/domain/directory-fields.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import type { RecordChange, RecordKey } from '../tables/directory-records.ts';
import { toFileValue } from './entry-fields.ts';

/** A change of Directory that is not written yet. */
export interface DirectoryChange {
  readonly entity: RecordChange<EntityKind>;
  /** The changes and checks of other records in the same transaction. */
  readonly relatedChanges: readonly RecordChange[];
  readonly generatedKey?: string | undefined;
  /** The fields that keep their value although a file has another value. */
  readonly keptOverrides?: readonly Readonly<Record<'property' | 'value' | 'reason', string | boolean>>[] | undefined;
}

/** The values of a property before and after a change. An absent value is null. A value that is not shown is undefined. */
export interface Difference {
  readonly property: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The result of a change, as the document for scripts. The ids, the e-mail and the name identify the entity. */
export interface ChangeResult {
  readonly kind: EntityKind;
  readonly tenant: string;
  readonly company_id?: string;
  readonly supplier_id?: string;
  readonly user_id?: string;
  readonly email?: string;
  readonly name?: string;
  /** `left` means that the entity is unchanged. */
  readonly outcome: 'created' | 'changed' | 'left';
  readonly changes: readonly Difference[];
  readonly left_alone?: DirectoryChange['keptOverrides'];
  /** The text of a generated API key, which is not stored. */
  readonly generated_key?: string | undefined;
}

/** Builds the result that a change has once it is written. */
export function buildResult(change: DirectoryChange): ChangeResult {
  const { key, before, after } = change.entity;
  const existingOutcome = hasWrites(change) ? 'changed' : 'left';
  return {
    kind: key.kind,
    tenant: key.tenant,
    ...getSubject(key, { ...before, ...after }),
    outcome: before ? existingOutcome : 'created',
    changes: before ? findDifferences(change) : [],
    left_alone: change.keptOverrides,
    generated_key: change.generatedKey,
  };
}

/** True if a change writes a record. Otherwise, its records are only compared. */
export function hasWrites({ entity, relatedChanges }: DirectoryChange): boolean {
  return [entity, ...relatedChanges].some(({ after }) => after !== undefined);
}

function getSubject({ kind, id }: RecordKey<EntityKind>, { company_id, name, email }: Attributes): object {
  if (kind === 'tenant') return {};
  if (kind === 'api_key') return { company_id, name };
  return kind === 'user' ? { user_id: id, email } : { [`${kind}_id`]: id };
}

/** Finds the properties of an entity that a change alters, including the password in the account of a user. */
export function findDifferences({ entity, relatedChanges }: DirectoryChange): Difference[] {
  const before = flattenTolerance(entity.before);
  const after = flattenTolerance(entity.after ?? entity.before);
  const differences: Difference[] = Object.keys({ ...before, ...after })
    .map((property) => ({ property, before: before[property] ?? null, after: after[property] ?? null }))
    .filter((difference) => !isDeepStrictEqual(difference.before, difference.after));
  const account = relatedChanges.find(({ key, after: changed }) => key.kind === 'account' && changed);
  const isPasswordNew = account?.after?.['password_hash'] !== account?.before?.['password_hash'];
  return isPasswordNew ? [...differences, { property: 'password' }] : differences;
}

/** Returns the properties of a record, with those of its tolerance as `tolerance.mode` and so on. */
function flattenTolerance(record: Attributes | null): Attributes {
  const { tolerance, ...properties } = record ?? {};
  const limits = Object.entries(tolerance ?? {}).map(([name, value]) => [`tolerance.${name}`, toFileValue(value)]);
  return { ...properties, ...Object.fromEntries(limits) };
}
