import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '../operator-error.ts';
import {
  type Attributes,
  type DirectoryRecord,
  type DirectoryRecords,
  nameOf,
  type RecordChange,
  type RecordKey,
  type RecordKind,
} from '../ports/directory-records.ts';

/** The attributes of each kind of record that are read and compared; requests change others, which are left alone. */
const ownAttributes = {
  tenant: ['tenant', 'tolerance'],
  company: ['company_id', 'name', 'status', 'stopped_at'],
  supplier: ['supplier_id', 'name', 'company_id', 'tolerance'],
  user: [
    'user_id',
    'company_id',
    'email',
    'username',
    'supplier_id',
    'permissions',
    'active',
    'stopped_at',
    'license_active',
    'expires_at',
    'tokens_from',
  ],
  login: ['user_id', 'company_id', 'supplier_id', 'username'],
  account: ['password_hash', 'tokens_from'],
  apiKey: ['tenant', 'company_id', 'name', 'scope', 'status', 'valid_from', 'valid_until', 'last4', 'revoked_at'],
  apiKeyName: ['key_hash'],
  listedApiKey: ['key_hash'],
} as const satisfies { [Kind in RecordKind]: readonly (keyof DirectoryRecord<Kind>)[] };

/** A part of Directory, each record read once; it can take planned changes for done. */
export class DirectorySnapshot {
  readonly #read: DirectoryRecords['read'];
  readonly #records = new Map<string, Promise<Attributes | null>>();
  #batch: { readonly keys: RecordKey[]; readonly records: Promise<(Attributes | null)[]> } | null = null;

  constructor(read: DirectoryRecords['read']) {
    this.#read = read;
  }

  /** The record of a key, or null; what is asked for at the same time is read in one call. */
  get<Kind extends RecordKind>(key: RecordKey<Kind>): Promise<DirectoryRecord<Kind> | null> {
    const name = nameOf(key);
    const record = this.#records.get(name) ?? this.#readInBatch(key);
    this.#records.set(name, record);
    return record as Promise<DirectoryRecord<Kind> | null>;
  }

  /** The record of a key; throws an OperatorError that names it when there is none. */
  async existing<Kind extends RecordKind>(key: RecordKey<Kind>, name: string): Promise<DirectoryRecord<Kind>> {
    const record = await this.get(key);
    if (!record) throw new OperatorError(`There is no ${name}.`);
    return record;
  }

  /** The change that makes a record so (null: deleted); of one that is so already, the check that it stays so. */
  async changeTo<Kind extends RecordKind>(
    key: RecordKey<Kind>,
    record: DirectoryRecord<Kind> | null,
  ): Promise<RecordChange> {
    const before: Attributes | null = await this.get(key);
    const after = ownOf(key.kind, record);
    return isDeepStrictEqual(before, after) ? { key, before } : { key, before, after };
  }

  /** Takes changes for done. */
  apply(changes: readonly RecordChange[]): void {
    for (const { key, after } of changes)
      if (after !== undefined) this.#records.set(nameOf(key), Promise.resolve(after));
  }

  /** Takes it for granted that there are records of these keys, among those that were read. */
  presume(keys: readonly RecordKey[]): void {
    for (const key of keys) {
      const read = this.#records.get(nameOf(key));
      if (read)
        this.#records.set(
          nameOf(key),
          read.then((record) => record ?? {}),
        );
    }
  }

  #readInBatch(key: RecordKey): Promise<Attributes | null> {
    this.#batch ??= this.#openBatch();
    const { keys, records } = this.#batch;
    const index = keys.push(key) - 1;
    return records.then((read) => ownOf(key.kind, read[index] ?? null));
  }

  #openBatch() {
    const keys: RecordKey[] = [];
    const readAll = async () => {
      await setImmediate();
      this.#batch = null;
      return this.#read(keys);
    };
    return { keys, records: readAll() };
  }
}

// That an attribute is not there is part of what was read: it is kept as undefined.
function ownOf(kind: RecordKind, record: Attributes | null): Attributes | null {
  return record && Object.fromEntries(ownAttributes[kind].map((name) => [name, record[name]]));
}
