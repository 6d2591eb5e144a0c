import { isDeepStrictEqual } from 'node:util';
import type { DirectoryItems } from '../../storage/directory-items.ts';
import type { Attributes, DirectoryChange, DirectoryWriter } from '../../storage/directory-writer.ts';
import { directoryKeys, type Key } from '../../storage/keys.ts';

/** The stored attributes of each kind of record that `apply` writes; what else an item holds is not its business. */
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
} as const satisfies { [Kind in RecordKind]: readonly (keyof DirectoryItems[Kind])[] };

/** The kinds of records in Directory. */
export type RecordKind = keyof DirectoryItems;

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
    account: (userId: string) => at('account', directoryKeys.account(tenant, userId)),
    apiKey: (hash: string) => at('apiKey', directoryKeys.apiKey(hash)),
    apiKeyName: (companyId: string, name: string) =>
      at('apiKeyName', directoryKeys.apiKeyName(tenant, companyId, name)),
    listedApiKey: (hash: string) => at('listedApiKey', directoryKeys.listedApiKey(tenant, hash)),
  } as const;
}

function at<Kind extends RecordKind>(kind: Kind, key: Key): Place<Kind> {
  return { kind, key };
}

/** Reads a part of Directory; `needed` is asked again, because what was read may lead to more. */
export async function readState(
  read: DirectoryWriter['read'],
  needed: (known: DirectoryState) => readonly Place[],
): Promise<DirectoryState> {
  const state = new DirectoryState();
  for (;;) {
    const unknown = needed(state).filter((place) => !state.knows(place));
    if (unknown.length === 0) return state;
    const distinct = new Map(unknown.map((place) => [nameOf(place.key), place]));
    state.learn([...distinct.values()], await read([...distinct.values()].map(({ key }) => key)));
  }
}

/** The part of Directory that a run has read, kept up to date with what the run plans. */
export class DirectoryState {
  readonly #records = new Map<string, Attributes | null>();

  /** Whether this place has been read. */
  knows({ key }: Place): boolean {
    return this.#records.has(nameOf(key));
  }

  /** Takes what was read at these places: the items that are there. */
  learn(places: readonly Place[], items: readonly Key[]): void {
    const found = new Map(items.map((item) => [nameOf(item), item as unknown as Attributes]));
    for (const { kind, key } of places) this.#records.set(nameOf(key), own(kind, found.get(nameOf(key)) ?? null));
  }

  /** Takes it for granted that there is a record at these places. */
  presume(places: readonly Place[]): void {
    for (const place of places) if (!this.get(place)) this.#records.set(nameOf(place.key), {});
  }

  /** The record as it is or is planned to be; null when there is none. */
  get<Kind extends RecordKind>({ key }: Place<Kind>): DirectoryItems[Kind] | null {
    return (this.#records.get(nameOf(key)) ?? null) as DirectoryItems[Kind] | null;
  }

  /** What makes a record so (null: gone); where it is so already, that it stays as it is. */
  changeTo<Kind extends RecordKind>({ kind, key }: Place<Kind>, record: DirectoryItems[Kind] | null): DirectoryChange {
    const before = this.get({ kind, key }) as Attributes | null;
    const after = own(kind, record);
    return isDeepStrictEqual(before, after) ? { key, before } : { key, before, after };
  }

  /** Takes planned changes for done. */
  adopt(changes: readonly DirectoryChange[]): void {
    for (const { key, after } of changes) if (after !== undefined) this.#records.set(nameOf(key), after);
  }
}

// That an attribute is not there is part of what was read: it is kept as undefined.
function own(kind: RecordKind, item: Attributes | null): Attributes | null {
  return item && Object.fromEntries(ownAttributes[kind].map((name) => [name, item[name]]));
}

function nameOf({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}
