import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type DirectoryRecord,
  type EntityKind,
  RECORD_FIELDS,
  type RecordField,
  type RecordKind,
} from '../../../lib/domain/directory-fields.ts';
import { keysIn, type RecordKey, toKeyText } from '../tables/record-keys.ts';
import type { DirectoryRecords, RecordChange } from '../tables/directory-records.ts';
import type { Attributes } from '../../../lib/tables/stored-fields.ts';
import { OperatorError } from '../errors.ts';

/** A part of Directory, of which each record is read once. Planned changes can be applied to it. */
export class DirectorySnapshot {
  readonly #records = new Map<string, Promise<Attributes | null>>();
  readonly #source: Pick<DirectoryRecords, 'read'>;
  #requested: RecordKey[] = [];
  #batch: Promise<(Attributes | null)[]> | null = null;

  constructor(source: Pick<DirectoryRecords, 'read'>) {
    this.#source = source;
  }

  /** Returns the record of a key, or null. Keys that are requested at the same time are read in one call. */
  get<Kind extends RecordKind>(key: RecordKey<Kind>): Promise<DirectoryRecord<Kind> | null> {
    const name = toKeyText(key);
    const record = this.#records.get(name) ?? this.#readInBatch(key);
    this.#records.set(name, record);
    return record as Promise<DirectoryRecord<Kind> | null>;
  }

  /** Returns the record of an entity; throws an OperatorError if the record or its tenant does not exist. */
  async getExisting<Kind extends Exclude<EntityKind, 'api_key'>>(
    key: RecordKey<Kind>,
    name = key.ids[1],
  ): Promise<DirectoryRecord<Kind>> {
    const [tenant = ''] = key.ids;
    const [owner, record] = await Promise.all([this.get(keysIn(tenant).tenant), this.get(key)]);
    if (!owner) throw new OperatorError(`Tenant ${tenant} does not exist.`);
    if (!record) throw new OperatorError(`The ${key.kind} ${name} of ${tenant} does not exist.`);
    return record;
  }

  /** Plans the change to a record (null: delete it). If nothing changes, the plan only checks the stored record. */
  async planChange<Kind extends RecordKind>(
    key: RecordKey<Kind>,
    record: DirectoryRecord<Kind> | null,
  ): Promise<RecordChange<Kind>> {
    const before: Attributes | null = await this.get(key);
    const after = pickComparedFields(key.kind, record);
    return isDeepStrictEqual(before, after) ? { key, before } : { key, before, after };
  }

  /** Applies changes as if they were written. */
  apply(changes: readonly RecordChange[]): void {
    for (const { key, after } of changes)
      if (after !== undefined) this.#records.set(toKeyText(key), Promise.resolve(after));
  }

  async #readInBatch(key: RecordKey): Promise<Attributes | null> {
    const index = this.#requested.push(key) - 1;
    const records = await (this.#batch ??= this.#readRequested());
    return pickComparedFields(key.kind, records[index] ?? null);
  }

  async #readRequested(): Promise<(Attributes | null)[]> {
    await setImmediate();
    const keys = this.#requested;
    this.#requested = [];
    this.#batch = null;
    return this.#source.read(keys);
  }
}

/**
 * Returns the attributes that are compared and written, without those that logins write. An absent attribute is
 * undefined, so that the write requires its absence.
 */
function pickComparedFields(kind: RecordKind, record: Attributes | null): Attributes | null {
  const fields = RECORD_FIELDS[kind].filter(({ isSecret, writer }: RecordField) => !isSecret && writer !== 'login');
  return record && Object.fromEntries(fields.map(({ name }) => [name, record[name]]));
}
