import { isDeepStrictEqual } from 'node:util';
import type { DirectoryRecord, EntityKind } from '../../../lib/domain/directory-fields.ts';
import { isDecimal } from '../../../lib/domain/money.ts';
import { type AttemptLimits, limitedAttempts } from '../../../lib/runtime/attempts.ts';
import type { DirectoryRecords, RecordChange } from '../../../lib/storage/directory/directory-records.ts';
import type { Attributes } from '../../../lib/storage/items/stored-fields.ts';
import { DirectorySnapshot } from './snapshot.ts';
import type { KeptOverride } from './suspensions.ts';

const RETRIES: AttemptLimits = { most: 6, firstMs: 100, longestMs: 100 };

/** The fields that identify an entity in a result. */
const SUBJECT_FIELDS = {
  tenant: [],
  company: ['company_id'],
  supplier: ['supplier_id'],
  user: ['user_id', 'email'],
  api_key: ['company_id', 'name'],
} as const satisfies { readonly [Kind in EntityKind]: readonly (keyof DirectoryRecord<Kind>)[] };

/** The entity that a change is about, by the names of the file format. */
export interface Subject extends Readonly<Partial<Record<(typeof SUBJECT_FIELDS)[EntityKind][number], string>>> {
  readonly kind: EntityKind;
  readonly tenant: string;
}

/** A change of Directory that is not written yet. */
export interface DirectoryChange {
  /** The change of the record of an entity. */
  readonly record: RecordChange<EntityKind>;
  /** The changes and checks of other records, in the same transaction. */
  readonly others?: readonly RecordChange[];
  /** An API key that was generated. */
  readonly generatedKey?: string | undefined;
  readonly keptOverrides?: readonly KeptOverride[];
}

/** Plans a change of the stored records; an error aborts it. */
export type PlanChange = (directory: DirectorySnapshot) => Promise<DirectoryChange>;

/** The value of a property; null if it is absent. */
export type PropertyValue = string | number | boolean | readonly string[] | null;

/** The change of a property; the values of a password are never shown. */
export type PropertyChange =
  | { readonly property: 'password' }
  | { readonly property: string; readonly before: PropertyValue; readonly after: PropertyValue };

/** The result of a change, as the document for scripts. */
export interface ChangeResult extends Subject {
  readonly outcome: 'created' | 'changed' | 'left';
  readonly changes: readonly PropertyChange[];
  readonly left_alone?: readonly KeptOverride[] | undefined;
  /** The text of a generated API key, which is not stored. */
  readonly generated_key?: string | undefined;
}

/** The error of a change that was not written, because others changed the records in each attempt. */
export class ConcurrentModificationError extends Error {
  override readonly name = 'ConcurrentModificationError';
  readonly reason = 'not changed, because others kept changing it; apply the file again';

  constructor() {
    super('Nothing was changed: others kept changing the records. Run the command again.');
  }
}

/**
 * Plans a change and writes it, on the condition that its records are as they were read; after a conflict, it reads and
 * plans again. `planned` is the change to try first. Throws a ConcurrentModificationError.
 */
export async function changeDirectory(
  records: DirectoryRecords,
  plan: PlanChange,
  planned?: DirectoryChange,
): Promise<ChangeResult> {
  for await (const attempt of limitedAttempts(RETRIES)) {
    const change = (attempt === 1 && planned) || (await plan(new DirectorySnapshot(records)));
    const changes = recordChanges(change);
    if (changes.length === 0 || (await records.commit(changes))) return toResult(change);
  }
  throw new ConcurrentModificationError();
}

/** Returns the writes and checks of a change for one transaction; empty if nothing is written. */
export function recordChanges({ record, others = [] }: DirectoryChange): readonly RecordChange[] {
  const changes = [record, ...others];
  return changes.some(({ after }) => after !== undefined) ? changes : [];
}

/** Returns the result that a change has once it is written. */
export function toResult(change: DirectoryChange): ChangeResult {
  const { record, others = [], keptOverrides = [], generatedKey } = change;
  const existed = recordChanges(change).length > 0 ? ('changed' as const) : ('left' as const);
  const isPasswordNew = others.some(
    ({ key, before, after }) => key.kind === 'account' && after && after['password_hash'] !== before?.['password_hash'],
  );
  return {
    ...toSubject(record),
    outcome: record.before ? existed : 'created',
    changes: [
      ...findDifferences(record),
      ...(record.before && isPasswordNew ? [{ property: 'password' } as const] : []),
    ],
    left_alone: keptOverrides.length > 0 ? keptOverrides : undefined,
    generated_key: generatedKey,
  };
}

function toSubject({ key, before, after }: RecordChange<EntityKind>): Subject {
  const record: Attributes = { ...before, ...after };
  const named = SUBJECT_FIELDS[key.kind].map((name) => [name, record[name]]);
  return { kind: key.kind, tenant: record['tenant'] ?? key.ids[0], ...Object.fromEntries(named) } as Subject;
}

/** Returns the properties of a record that a change alters; none if the record is new. */
export function findDifferences({ before, after }: RecordChange): PropertyChange[] {
  if (!before || !after) return [];
  const [was, becomes] = [flatten(before), flatten(after)];
  const properties = [...new Set([...was.keys(), ...becomes.keys()])];
  return properties
    .map((property) => ({ property, before: was.get(property) ?? null, after: becomes.get(property) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

/** Returns the properties of a record, those of its parts as `part.property`. */
function flatten(attributes: Attributes): Map<string, PropertyValue> {
  const pairs = Object.entries(attributes).flatMap(([name, value]): [string, PropertyValue][] => {
    if (value === undefined) return [];
    if (isDecimal(value)) return [[name, value.toNumber()]];
    if (typeof value !== 'object' || Array.isArray(value)) return [[name, value as PropertyValue]];
    return [...flatten(value as Attributes)].map(([inner, part]) => [`${name}.${inner}`, part]);
  });
  return new Map(pairs);
}
