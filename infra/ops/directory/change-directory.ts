import { isDeepStrictEqual } from 'node:util';
import type { DirectoryRecord, EntityKind, RecordKind } from '../../../lib/domain/directory-fields.ts';
import { isComparedField, RECORD_FIELDS } from '../../../lib/domain/directory-fields.ts';
import { limitedAttempts } from '../../../lib/runtime/attempts.ts';
import { type Attributes, toKeyText } from '../../../lib/tables/dynamodb/reads.ts';
import { OperatorError } from '../operator-errors.ts';
import { type DirectoryRecords, keysIn, type RecordChange, type RecordKey } from '../tables/directory-records.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { buildResult, type ChangeResult, type DirectoryChange, hasWrites } from './change-result.ts';

/**
 * Plans a change, and writes it if its records are still as they were read. After a conflict, reads and plans again. The
 * first attempt writes `firstChange`, if it is passed. Throws an error if every attempt has a conflict.
 */
export async function changeDirectory(
  records: DirectoryRecords,
  plan: (directory: DirectorySnapshot) => Promise<DirectoryChange>,
  firstChange?: DirectoryChange,
): Promise<ChangeResult> {
  for await (const attempt of limitedAttempts({ maxAttempts: 6, firstMs: 100, longestMs: 100 })) {
    const change = attempt === 1 && firstChange ? firstChange : await plan(new DirectorySnapshot(records));
    if (!hasWrites(change)) return buildResult(change);
    const isWritten = await records.commit(change.entity, change.relatedChanges);
    if (isWritten) return buildResult(change);
  }
  throw new Error('Nothing was changed: others kept changing the records. Run the command again.');
}

/** The records of Directory that a plan needs. Each record is read once. Planned changes can be applied to the snapshot. */
export class DirectorySnapshot {
  readonly #records = new Map<string, Promise<Attributes | null>>();
  readonly #source: Pick<DirectoryRecords, 'read'>;

  constructor(source: Pick<DirectoryRecords, 'read'>) {
    this.#source = source;
  }

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

/** Picks the attributes that commands compare. An absent attribute is undefined, so that a write requires its absence. */
function pickComparedFields(kind: RecordKind, record: Attributes | null): Attributes | null {
  const fields = RECORD_FIELDS[kind].filter(isComparedField);
  return record && Object.fromEntries(fields.map(({ name }) => [name, record[name]]));
}
