import { isDeepStrictEqual } from 'node:util';
import type { DirectoryRecord, EntityKind, RecordKind } from '../../../lib/domain/directory-fields.ts';
import { isComparedField, RECORD_FIELDS } from '../../../lib/domain/directory-fields.ts';
import { limitedAttempts } from '../../../lib/runtime/attempts.ts';
import { type Attributes, toKeyText } from '../../../lib/tables/dynamodb/reads.ts';
import { OperatorError } from '../operator-errors.ts';
import { type DirectoryRecords, keysIn, type RecordChange, type RecordKey } from '../tables/directory-records.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { toFileValue } from './entry-fields.ts';

// The values of these properties are not recorded, because `erase-user` could not remove them.
const PERSONAL_PROPERTIES = new Set(['email', 'username', 'player_ids']);

/** A change of Directory that is not written yet. */
export interface DirectoryChange {
  /** The change of an entity, with changes and checks of other records in the same transaction. */
  readonly changes: readonly [RecordChange<EntityKind>, ...RecordChange[]];
  readonly generatedKey?: string | undefined;
  /** The fields that keep their value although a file has another value. */
  readonly keptOverrides?: readonly Readonly<Record<'property' | 'value' | 'reason', string | boolean>>[] | undefined;
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
  /** The values before and after the change. An absent value is null. A value that is not shown is undefined. */
  readonly changes: readonly { readonly property: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly left_alone?: DirectoryChange['keptOverrides'];
  /** The text of a generated API key, which is not stored. */
  readonly generated_key?: string | undefined;
}

/**
 * Plans a change, and writes it if its records are still as they were read. After a conflict, reads and plans again. The
 * first attempt writes `planned`, if it is passed. Throws an error if every attempt has a conflict.
 */
export async function changeDirectory(
  records: DirectoryRecords,
  plan: (directory: DirectorySnapshot) => Promise<DirectoryChange>,
  planned?: DirectoryChange,
): Promise<ChangeResult> {
  for await (const attempt of limitedAttempts({ maxAttempts: 6, firstMs: 100, longestMs: 100 })) {
    const change = attempt === 1 && planned ? planned : await plan(new DirectorySnapshot(records));
    if (!hasWrites(change)) return toResult(change);
    const isWritten = await records.commit(change.changes);
    if (isWritten) return toResult(change);
  }
  throw new Error('Nothing was changed: others kept changing the records. Run the command again.');
}

/** True if a change writes a record. Otherwise, its records are only compared. */
function hasWrites({ changes }: DirectoryChange): boolean {
  return changes.some(({ after }) => after !== undefined);
}

/** Returns the result that a change has once it is written. */
function toResult(change: DirectoryChange): ChangeResult {
  const [{ key, before, after }] = change.changes;
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

/** Returns the properties that identify an entity in a result, besides its tenant. */
function getSubject({ kind, id }: RecordKey<EntityKind>, { company_id, name, email }: Attributes): object {
  if (kind === 'tenant') return {};
  if (kind === 'api_key') return { company_id, name };
  return kind === 'user' ? { user_id: id, email } : { [`${kind}_id`]: id };
}

/** Describes the write of a change for the operator record, with all properties of an entity that it creates. */
export function describeWrite(written: readonly RecordChange[]): ChangeResult {
  // The first change of every write is that of an entity.
  const change = { changes: written as DirectoryChange['changes'] };
  // A replaced record is compared by few of its properties, so the others would look like changes.
  const differences = change.changes[0].replacesRecord ? [] : findDifferences(change);
  const changes = differences.map(({ property, ...values }) =>
    PERSONAL_PROPERTIES.has(property) ? { property } : { property, ...values },
  );
  const { email: _personalValue, ...result } = toResult(change);
  return { ...result, changes };
}

/** Returns the properties of an entity that a change alters, including the password in the account of a user. */
function findDifferences({ changes }: DirectoryChange): ChangeResult['changes'] {
  const [entity, ...others] = changes;
  const before = flattenTolerance(entity.before);
  const after = flattenTolerance(entity.after ?? entity.before);
  const account = others.find(({ key, after: changed }) => key.kind === 'account' && changed);
  const isPasswordNew = account?.after?.['password_hash'] !== account?.before?.['password_hash'];
  const differences = Object.keys({ ...before, ...after })
    .map((property) => ({ property, before: before[property] ?? null, after: after[property] ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
  return isPasswordNew ? [...differences, { property: 'password' }] : differences;
}

/** Returns the properties of a record, with those of its tolerance as `tolerance.mode` and so on. */
function flattenTolerance(record: Attributes | null): Attributes {
  const { tolerance, ...properties } = record ?? {};
  const limits = Object.entries(tolerance ?? {}).map(([name, value]) => [`tolerance.${name}`, toFileValue(value)]);
  return { ...properties, ...Object.fromEntries(limits) };
}

/** The records of Directory that a plan needs. Each record is read once. Planned changes can be applied to the snapshot. */
export class DirectorySnapshot {
  readonly #records = new Map<string, Promise<Attributes | null>>();
  readonly #source: Pick<DirectoryRecords, 'read'>;

  constructor(source: Pick<DirectoryRecords, 'read'>) {
    this.#source = source;
  }

  /** Returns the record of a key, or null. */
  get<Kind extends RecordKind>(key: RecordKey<Kind>): Promise<DirectoryRecord<Kind> | null> {
    const name = toKeyText(key);
    const record = this.#records.get(name) ?? this.#read(key);
    this.#records.set(name, record);
    return record as Promise<DirectoryRecord<Kind> | null>;
  }

  /** Returns the record of an entity. Throws an OperatorError if the record or its tenant does not exist. */
  async getExisting<Kind extends Exclude<EntityKind, 'api_key'>>(key: RecordKey<Kind>, name = key.id) {
    const { kind, tenant } = key;
    const [owner, record] = await Promise.all([this.get(keysIn(tenant).tenant), this.get(key)]);
    if (!owner) throw new OperatorError(translate(opsTexts.unknownTenant(tenant)));
    if (!record) throw new OperatorError(`The ${kind} ${name} of ${tenant} does not exist.`);
    return record;
  }

  /** Plans the change to a record, or its deletion (null). If nothing changes, the plan only checks the stored record. */
  async planChange<Kind extends RecordKind>(
    key: RecordKey<Kind>,
    record: DirectoryRecord<Kind> | null,
  ): Promise<RecordChange<Kind>> {
    const before: Attributes | null = await this.get(key);
    const after = pickComparedFields(key.kind, record);
    return isDeepStrictEqual(before, after) ? { key, before } : { key, before, after };
  }

  /** Applies changes to the snapshot, as if they were written. */
  apply(changes: readonly RecordChange[]): void {
    for (const { key, after } of changes) {
      if (after !== undefined) this.#records.set(toKeyText(key), Promise.resolve(after));
    }
  }

  async #read(key: RecordKey): Promise<Attributes | null> {
    const [record = null] = await this.#source.read([key]);
    return pickComparedFields(key.kind, record);
  }
}

/** Returns the attributes that commands compare. An absent attribute is undefined, so that a write requires its absence. */
function pickComparedFields(kind: RecordKind, record: Attributes | null): Attributes | null {
  const fields = RECORD_FIELDS[kind].filter(isComparedField);
  return record && Object.fromEntries(fields.map(({ name }) => [name, record[name]]));
}
