import type { EntityKind, RecordKind } from '../../../lib/domain/directory-fields.ts';

/** The key of a record: its kind, and the ids that it is found by. */
export interface RecordKey<Kind extends RecordKind = RecordKind> {
  readonly kind: Kind;
  readonly ids: readonly string[];
}

/** The kinds of entities that their own id identifies. */
type IdentifiedKind = Exclude<EntityKind, 'api_key'>;

/** Returns the functions that build the keys of the records of a tenant. */
export function keysIn(tenant: string) {
  return {
    tenant: buildKey('tenant', tenant),
    company: (id: string) => buildKey('company', tenant, id),
    supplier: (id: string) => buildKey('supplier', tenant, id),
    user: (id: string) => buildKey('user', tenant, id),
    login: (name: string) => buildKey('login', tenant, name.toLowerCase()),
    account: (userId: string) => buildKey('account', tenant, userId),
    apiKey: (hash: string) => buildKey('api_key', hash),
    apiKeyName: (companyId: string, name: string) => buildKey('apiKeyName', tenant, companyId, name),
    listedApiKey: (hash: string) => buildKey('listedApiKey', tenant, hash),
  } as const;
}

/** Returns the key of an entity that its own id identifies, from a record or an entry. */
export function toEntityKey<Kind extends IdentifiedKind>(kind: Kind, tenant: string, value: object): RecordKey<Kind> {
  const ids = kind === 'tenant' ? [] : [String((value as Readonly<Record<string, unknown>>)[`${kind}_id`])];
  return buildKey(kind, tenant, ...ids);
}

function buildKey<Kind extends RecordKind>(kind: Kind, ...ids: readonly string[]): RecordKey<Kind> {
  return { kind, ids };
}

export function toKeyText({ kind, ids }: RecordKey): string {
  return [kind, ...ids].join('\n');
}
