import { argon2Sync, randomBytes, randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { hashApiKey } from '../../../lib/access/access-rules.ts';
import type { DirectoryRecord, RecordKind } from '../../../lib/domain/directory-fields.ts';
import { API_KEY_SCOPE, PERMISSIONS } from '../../../lib/domain/directory.ts';
import { newEntityId } from '../../../lib/runtime/ids.ts';
import type { Key } from '../../../lib/tables/dynamodb/reads.ts';
import type { StoredNumber } from '../../../lib/tables/dynamodb/values.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import type { TestEngine } from '../engine/engine.ts';

/** Fields of the records of an account that differ from the defaults, which allow every operation. */
export interface AccountOverrides {
  readonly tenant?: Overrides<'tenant'>;
  readonly company?: Overrides<'company'>;
  /** null: the user has no supplier. */
  readonly supplier?: Overrides<'supplier'> | null;
  readonly user?: Overrides<'user'>;
  readonly apiKey?: Overrides<'api_key'>;
  /** The company that owns the API key, if it is not the company of the user. */
  readonly keyCompany?: Overrides<'company'>;
}

type Overrides<Kind extends RecordKind> = Partial<DirectoryRecord<Kind, StoredNumber>>;

/** A user who can log in, with an API key. */
export type Account = Awaited<ReturnType<typeof seedAccount>>;

/** The password of every seeded user. */
const PASSWORD = 'correct horse battery staple';
// The smallest parameters of argon2id make a hash 500 times cheaper, and the tests log in thousands of times. The
// service reads the parameters from the record.
const HASH_PARAMETERS = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
const passwordHash = hashPassword(PASSWORD);

/** Creates an id that no other test uses. */
export function newId(): string {
  return newEntityId(new Date(performance.timeOrigin + performance.now()));
}

/** Writes a company with a supplier, a user and an API key. By default, the tenant is new. */
export async function seedAccount(engine: TestEngine, overrides: AccountOverrides = {}) {
  const apiKey = randomUUID();
  const tenant = { tenant: `t${newId()}.example`, ...overrides.tenant };
  const company = { company_id: newId(), name: 'Company', status: 'ACTIVE', ...overrides.company };
  const keyCompany = overrides.keyCompany ? { ...company, company_id: newId(), ...overrides.keyCompany } : company;
  const supplier = { supplier_id: newId(), name: 'Supplier', company_id: company.company_id, ...overrides.supplier };
  const supplierId = overrides.supplier === null ? null : supplier.supplier_id;
  const login = { company_id: company.company_id, ...(supplierId && { supplier_id: supplierId }) };
  const user = {
    user_id: newId(),
    ...login,
    email: `user-${newId()}@supplier.example`,
    permissions: [PERMISSIONS.read, PERMISSIONS.write],
    active: true,
    license_active: true,
    ...overrides.user,
  };
  const key = {
    tenant: tenant.tenant,
    company_id: keyCompany.company_id,
    name: 'Key',
    scope: API_KEY_SCOPE,
    status: 'ACTIVE',
    valid_from: '2020-01-01T00:00:00.000Z',
    valid_until: '2099-12-31T23:59:59.999Z',
    last4: apiKey.slice(-4),
    ...overrides.apiKey,
  };
  const keys = {
    tenant: directoryKeys.tenant(tenant.tenant),
    company: directoryKeys.company(tenant.tenant, company.company_id),
    keyCompany: directoryKeys.company(tenant.tenant, keyCompany.company_id),
    supplier: directoryKeys.supplier(tenant.tenant, supplier.supplier_id),
    user: directoryKeys.user(tenant.tenant, user.user_id),
    account: directoryKeys.account(tenant.tenant, user.user_id),
    apiKey: directoryKeys.apiKey(hashApiKey(apiKey)),
  };
  const loginNames = user.username ? [user.email, user.username] : [user.email];
  await putRecords(engine, [
    { ...keys.tenant, ...tenant },
    { ...keys.company, ...company },
    { ...keys.keyCompany, ...keyCompany },
    ...(supplierId ? [{ ...keys.supplier, ...supplier }] : []),
    { ...keys.user, ...user },
    { ...keys.account, password_hash: passwordHash },
    { ...keys.apiKey, ...key },
    ...loginNames.map((name) => ({ ...directoryKeys.login(tenant.tenant, name), user_id: user.user_id, ...login })),
  ]);
  return {
    reference: { tenant: tenant.tenant, userId: user.user_id, companyId: company.company_id, supplierId },
    scope: { tenant: tenant.tenant, supplierId: supplier.supplier_id },
    email: user.email,
    password: PASSWORD,
    apiKey,
    /** The primary keys of the records. */
    keys,
  };
}

async function putRecords(engine: TestEngine, items: readonly (Key & Record<string, unknown>)[]): Promise<void> {
  await Promise.all(
    items.map((Item) => engine.client.send(new PutCommand({ TableName: engine.tables.Directory, Item }))),
  );
}

/** Reads a record of Directory. */
export async function readRecord(engine: TestEngine, key: Key): Promise<Record<string, unknown>> {
  const { Item = {} } = await engine.client.send(
    new GetCommand({ TableName: engine.tables.Directory, Key: key, ConsistentRead: true }),
  );
  return Item;
}

/** Changes fields of a record of Directory. A field that is undefined is removed. */
export async function changeRecord(engine: TestEngine, key: Key, changes: Record<string, unknown>): Promise<void> {
  const item = await readRecord(engine, key);
  await engine.client.send(new PutCommand({ TableName: engine.tables.Directory, Item: { ...item, ...changes } }));
}

/** Deletes a record of Directory. */
export async function deleteRecord(engine: TestEngine, key: Key): Promise<void> {
  await engine.client.send(new DeleteCommand({ TableName: engine.tables.Directory, Key: key }));
}

/** Returns the hash of a password in the format in which the service stores it. */
function hashPassword(password: string): string {
  const nonce = randomBytes(16);
  const { memory, passes, parallelism } = HASH_PARAMETERS;
  const hash = argon2Sync('argon2id', { message: password, nonce, ...HASH_PARAMETERS });
  const text = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, '')).join('$');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text}`;
}
