import type { DirectoryRecord, RecordKind } from '../../domain/directory-fields.ts';

/** The kinds of which a tenant has a list. */
export type ListedKind = 'company' | 'supplier' | 'user' | 'listedApiKey';

/** Attributes of a record; one that is absent or undefined is not there. */
export type Attributes = Readonly<Record<string, unknown>>;

/** The key of a record: its kind, and the ids that it is found by. */
export interface RecordKey<Kind extends RecordKind = RecordKind> {
  readonly kind: Kind;
  readonly ids: readonly string[];
}

/**
 * What a record was when it was read (null: absent), and what it becomes (null: it is deleted); without `after` it must
 * only be as it was. Attributes that neither names are left alone.
 */
export interface RecordChange<Kind extends RecordKind = RecordKind> {
  readonly key: RecordKey<Kind>;
  readonly before: Attributes | null;
  readonly after?: Attributes | null;
}

/** The records of Directory, as operators change them. */
export interface DirectoryRecords {
  /** The records of any number of distinct keys, in their order, strongly consistent; null: no record. */
  readonly read: <Kind extends RecordKind>(
    keys: readonly RecordKey<Kind>[],
  ) => Promise<(DirectoryRecord<Kind> | null)[]>;
  /** All tenants, page by page in any order; this reads all of Directory. */
  readonly tenants: () => AsyncIterable<readonly DirectoryRecord<'tenant'>[]>;
  /** All that a tenant has of a kind, page by page, by their ids as texts, strongly consistent. */
  readonly pages: <Kind extends ListedKind>(
    kind: Kind,
    tenant: string,
  ) => AsyncIterable<readonly DirectoryRecord<Kind>[]>;
  /** Writes all changes, or nothing and returns false when a record is no longer as it was read. */
  readonly commit: (changes: readonly RecordChange[]) => Promise<boolean>;
}

/** The keys of the records of a tenant. */
export function keysIn(tenant: string) {
  return {
    tenant: keyOf('tenant', tenant),
    company: (id: string) => keyOf('company', tenant, id),
    supplier: (id: string) => keyOf('supplier', tenant, id),
    user: (id: string) => keyOf('user', tenant, id),
    login: (name: string) => keyOf('login', tenant, name.toLowerCase()),
    account: (userId: string) => keyOf('account', tenant, userId),
    apiKey: (hash: string) => keyOf('api_key', hash),
    apiKeyName: (companyId: string, name: string) => keyOf('apiKeyName', tenant, companyId, name),
    listedApiKey: (hash: string) => keyOf('listedApiKey', tenant, hash),
  } as const;
}

function keyOf<Kind extends RecordKind>(kind: Kind, ...ids: readonly string[]): RecordKey<Kind> {
  return { kind, ids };
}

/** The key as one text. */
export function toKeyText({ kind, ids }: RecordKey): string {
  return [kind, ...ids].join('\n');
}
