import { isDeepStrictEqual } from 'node:util';
import type { DirectoryRecord, EntityKind } from '../../../lib/domain/directory-fields.ts';
import { isDecimal } from '../../../lib/domain/money.ts';
import { type AttemptLimits, limitedAttempts } from '../../../lib/runtime/attempts.ts';
import type { DirectoryRecords, RecordChange } from '../tables/directory-records.ts';
import type { Attributes } from '../../../lib/tables/stored-fields.ts';
import type { Session } from '../command.ts';
import { DirectorySnapshot } from './snapshot.ts';

const RETRIES: AttemptLimits = { most: 6, firstMs: 100, longestMs: 100 };

/** A change of Directory that is not written yet. */
export interface DirectoryChange {
  readonly record: RecordChange<EntityKind>;
  /** The changes and checks of other records, in the same transaction. */
  readonly others?: readonly RecordChange[];
  /** An API key that was generated. */
  readonly generatedKey?: string | undefined;
  readonly keptOverrides?: readonly KeptOverride[];
}

/** A field that keeps its value although a file has another value, with the reason. */
export interface KeptOverride {
  readonly property: string;
  readonly value: string | boolean;
  readonly reason: string;
}

/** The fields that identify an entity in a result. */
const SUBJECT_FIELDS = {
  tenant: [],
  company: ['company_id'],
  supplier: ['supplier_id'],
  user: ['user_id', 'email'],
  api_key: ['company_id', 'name'],
} as const satisfies { readonly [Kind in EntityKind]: readonly (keyof DirectoryRecord<Kind>)[] };

/** The entity that a change is about, by the names of the file format. */
type Subject = {
  readonly [Field in (typeof SUBJECT_FIELDS)[EntityKind][number]]?: string;
} & { readonly kind: EntityKind; readonly tenant: string };

/** The value of a property; null if it is absent. */
type PropertyValue = string | number | boolean | readonly string[] | null;

/** The change of a property; the values of a password are never shown. */
type PropertyChange =
  | { readonly property: 'password' }
  | { readonly property: string; readonly before: PropertyValue; readonly after: PropertyValue };

/** The result of a change, as the document for scripts. */
export type ChangeResult = Subject & {
  readonly outcome: 'created' | 'changed' | 'left';
  readonly changes: readonly PropertyChange[];
  readonly left_alone?: readonly KeptOverride[] | undefined;
  /** The text of a generated API key, which is not stored. */
  readonly generated_key?: string | undefined;
};

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
  plan: (directory: DirectorySnapshot) => Promise<DirectoryChange>,
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
function toResult(change: DirectoryChange): ChangeResult {
  const { record, others = [], keptOverrides = [], generatedKey } = change;
  const { kind, ids } = record.key;
  const named: Attributes = { ...record.before, ...record.after };
  const subject = Object.fromEntries(SUBJECT_FIELDS[kind].map((name) => [name, named[name]]));
  const existed = recordChanges(change).length > 0 ? ('changed' as const) : ('left' as const);
  const isPasswordNew = others.some(
    ({ key, before, after }) => key.kind === 'account' && after && after['password_hash'] !== before?.['password_hash'],
  );
  return {
    kind,
    tenant: (named['tenant'] ?? ids[0]) as string,
    ...subject,
    outcome: record.before ? existed : 'created',
    changes: [
      ...findDifferences(record),
      ...(record.before && isPasswordNew ? [{ property: 'password' } as const] : []),
    ],
    left_alone: keptOverrides.length > 0 ? keptOverrides : undefined,
    generated_key: generatedKey,
  };
}

/** Returns the properties of a record that a change alters; none if the record is new. */
function findDifferences({ before, after }: RecordChange): PropertyChange[] {
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

/** Prints the result of a command that changes the directory; `already` is the line if there was nothing to change. */
export function printResult(
  { output, dryRun }: Pick<Session, 'output' | 'dryRun'>,
  result: ChangeResult,
  already?: string,
): void {
  const shown = dryRun ? { ...result, generated_key: undefined } : result;
  for (const line of toLines(shown)) output.line(line);
  if (result.outcome === 'left' && already !== undefined) output.line(already);
  output.document(shown);
}

/** Returns the result of a change for people: a line, and one below it for each property that changes or is left. */
export function toLines(result: ChangeResult): string[] {
  const { outcome, changes, left_alone: keptOverrides = [], generated_key: key } = result;
  const shown = key === undefined ? '' : `: ${key} (shown only once)`;
  const properties = [
    ...changes.map(toLine),
    ...keptOverrides.map(({ property, value, reason }) => `${property}: kept ${value}, because ${reason}`),
  ];
  return [`${outcome.padEnd(8)}  ${describeSubject(result)}${shown}`, ...properties.map((line) => `    ${line}`)];
}

function toLine(change: PropertyChange): string {
  if (!('before' in change)) return `${change.property}: changed`;
  return `${change.property}: ${toText(change.before)} -> ${toText(change.after)}`;
}

function toText(value: PropertyValue): string {
  const text = typeof value === 'object' ? (value ?? []).join(', ') : String(value);
  return text === '' ? '(none)' : text;
}

function describeSubject({ kind, tenant, email, name, ...ids }: Subject): string {
  if (kind === 'tenant') return `tenant ${tenant}`;
  if (kind === 'api_key') return `API key "${name}" of company ${ids.company_id} of ${tenant}`;
  return `${kind} ${ids[`${kind}_id`]}${kind === 'user' ? ` (${email})` : ''} of ${tenant}`;
}
