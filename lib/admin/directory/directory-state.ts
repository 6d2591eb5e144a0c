import { isDeepStrictEqual } from 'node:util';
import type {
  DirectoryRecord,
  DirectoryRecords,
  Place,
  RecordChange,
  RecordKind,
} from '../../storage/directory/directory-records.ts';
import type { Attributes } from '../../storage/directory/directory-writer.ts';

/** The stored attributes of each kind of record that `apply` writes; what else a record holds is not its business. */
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

/** The places of the records of a tenant. */
export function placesIn(tenant: string) {
  return {
    tenant: at('tenant', tenant),
    company: (id: string) => at('company', tenant, id),
    supplier: (id: string) => at('supplier', tenant, id),
    user: (id: string) => at('user', tenant, id),
    login: (name: string) => at('login', tenant, name.toLowerCase()),
    account: (userId: string) => at('account', tenant, userId),
    apiKey: (hash: string) => at('apiKey', hash),
    apiKeyName: (companyId: string, name: string) => at('apiKeyName', tenant, companyId, name),
    listedApiKey: (hash: string) => at('listedApiKey', tenant, hash),
  } as const;
}

function at<Kind extends RecordKind>(kind: Kind, ...ids: readonly string[]): Place<Kind> {
  return { kind, ids };
}

/** Reads a part of Directory; `needed` is asked again, because what was read may lead to more. */
export async function readState(
  read: DirectoryRecords['read'],
  needed: (known: DirectoryState) => readonly Place[],
): Promise<DirectoryState> {
  const state = new DirectoryState();
  for (;;) {
    const unknown = needed(state).filter((place) => !state.knows(place));
    if (unknown.length === 0) return state;
    const distinct = [...new Map(unknown.map((place) => [nameOf(place), place])).values()];
    state.learn(distinct, await read(distinct));
  }
}

/** The part of Directory that a run has read, kept up to date with what the run plans. */
export class DirectoryState {
  readonly #records = new Map<string, Attributes | null>();

  /** Whether this place has been read. */
  knows(place: Place): boolean {
    return this.#records.has(nameOf(place));
  }

  /** Takes what was read at these places, in their order. */
  learn(places: readonly Place[], records: readonly (Attributes | null)[]): void {
    for (const [index, place] of places.entries()) {
      this.#records.set(nameOf(place), own(place.kind, records[index] ?? null));
    }
  }

  /** Takes it for granted that there is a record at these places. */
  presume(places: readonly Place[]): void {
    for (const place of places) if (!this.get(place)) this.#records.set(nameOf(place), {});
  }

  /** The record as it is or is planned to be; null when there is none. */
  get<Kind extends RecordKind>(place: Place<Kind>): DirectoryRecord<Kind> | null {
    return (this.#records.get(nameOf(place)) ?? null) as DirectoryRecord<Kind> | null;
  }

  /** What makes a record so (null: gone); where it is so already, that it stays as it is. */
  changeTo<Kind extends RecordKind>(place: Place<Kind>, record: DirectoryRecord<Kind> | null): RecordChange {
    const before = this.get(place) as Attributes | null;
    const after = own(place.kind, record);
    return isDeepStrictEqual(before, after) ? { place, before } : { place, before, after };
  }

  /** Takes planned changes for done. */
  adopt(changes: readonly RecordChange[]): void {
    for (const { place, after } of changes) if (after !== undefined) this.#records.set(nameOf(place), after);
  }
}

// That an attribute is not there is part of what was read: it is kept as undefined.
function own(kind: RecordKind, record: Attributes | null): Attributes | null {
  return record && Object.fromEntries(ownAttributes[kind].map((name) => [name, record[name]]));
}

function nameOf({ kind, ids }: Place): string {
  return [kind, ...ids].join('\n');
}
