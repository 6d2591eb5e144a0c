import { isDeepStrictEqual } from 'node:util';
import type { DirectoryItems } from '../../../lib/storage/directory-items.ts';
import type { Attributes, DirectoryChange, DirectoryWriter } from '../../../lib/storage/directory-writer.ts';
import { directoryKeys, type Key } from '../../../lib/storage/keys.ts';

/** The stored attributes of each kind of record that `apply` writes; what else an item holds is not its business. */
const ownAttributes = {
  tenant: ['tenant', 'tolerance'],
  company: ['company_id', 'name', 'status'],
  supplier: ['supplier_id', 'name', 'company_id', 'tolerance'],
  user: [
    'user_id',
    'company_id',
    'email',
    'username',
    'password_hash',
    'supplier_id',
    'permissions',
    'active',
    'license_active',
    'expires_at',
  ],
  login: ['user_id', 'company_id', 'supplier_id'],
  apiKey: ['tenant', 'company_id', 'name', 'scope', 'status', 'valid_from', 'valid_until', 'last4'],
  apiKeyName: ['key_hash'],
} as const satisfies { [Kind in RecordKind]: readonly (keyof StoredRecords[Kind])[] };

/** What is stored under each kind of key. */
export type StoredRecords = DirectoryItems & { apiKeyName: { key_hash: string } };
export type RecordKind = keyof StoredRecords;

/** A record's kind and key. */
export interface Place<Kind extends RecordKind = RecordKind> {
  readonly kind: Kind;
  readonly key: Key;
}

/** The places of the records of a tenant. */
export function placesIn(tenant: string) {
  return {
    tenant: at('tenant', directoryKeys.tenant(tenant)),
    company: (id: string) => at('company', directoryKeys.company(tenant, id)),
    supplier: (id: string) => at('supplier', directoryKeys.supplier(tenant, id)),
    user: (id: string) => at('user', directoryKeys.user(tenant, id)),
    login: (name: string) => at('login', directoryKeys.login(tenant, name)),
    apiKey: (hash: string) => at('apiKey', directoryKeys.apiKey(hash)),
    apiKeyName: (companyId: string, name: string) =>
      at('apiKeyName', directoryKeys.apiKeyName(tenant, companyId, name)),
  } as const;
}

function at<Kind extends RecordKind>(kind: Kind, key: Key): Place<Kind> {
  return { kind, key };
}

/** The part of Directory that a run has read, kept up to date with what the run plans. */
export class DirectoryState {
  readonly #records = new Map<string, Attributes | null>();
  readonly #read: DirectoryWriter['read'];

  constructor(read: DirectoryWriter['read']) {
    this.#read = read;
  }

  /** Reads what is not known yet; `needed` is asked again, because what was read may lead to more. */
  async learn(needed: () => readonly Place[]): Promise<void> {
    for (;;) {
      const unknown = new Map(
        needed()
          .map((place): [string, Place] => [nameOf(place.key), place])
          .filter(([name]) => !this.#records.has(name)),
      );
      if (unknown.size === 0) return;
      const items = await this.#read([...unknown.values()].map(({ key }) => key));
      const found = new Map(items.map((item) => [nameOf(item), item as unknown as Attributes]));
      for (const [name, { kind }] of unknown) this.#records.set(name, own(kind, found.get(name) ?? null));
    }
  }

  /** Makes sure that these are read again. */
  forget(places: readonly Place[]): void {
    for (const { key } of places) this.#records.delete(nameOf(key));
  }

  /** The record as it is or is planned to be; null when there is none. */
  get<Kind extends RecordKind>({ key }: Place<Kind>): StoredRecords[Kind] | null {
    return (this.#records.get(nameOf(key)) ?? null) as StoredRecords[Kind] | null;
  }

  /** What it takes to make a record so (null: gone): one change, or none. */
  changesTo<Kind extends RecordKind>(place: Place<Kind>, after: StoredRecords[Kind] | null): DirectoryChange[] {
    const before = this.get(place) as Attributes | null;
    const wanted = own(place.kind, after);
    return isDeepStrictEqual(before, wanted) ? [] : [{ key: place.key, before, after: wanted }];
  }

  /** Takes planned changes for done. */
  adopt(changes: readonly DirectoryChange[]): void {
    for (const { key, after } of changes) this.#records.set(nameOf(key), after);
  }
}

function own(kind: RecordKind, item: Attributes | null): Attributes | null {
  if (!item) return null;
  const set = ownAttributes[kind].filter((name) => item[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, item[name]]));
}

function nameOf({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}
