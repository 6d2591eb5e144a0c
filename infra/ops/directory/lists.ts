import type { AdminPorts } from '../tables/admin-ports.ts';
import type { DirectoryRecord, EntityKind, ToleranceRecord } from '../../../lib/domain/directory-fields.ts';
import { toToleranceConfig } from '../../../lib/domain/directory.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import type { Attributes } from '../../../lib/tables/stored-fields.ts';
import { type CommonOptions, defineCommand, runCommand } from '../command.ts';
import type { ListView } from '../output.ts';
import { limitsText } from '../tolerance-text.ts';
import { toListedValue } from './entry-values.ts';
import { listApiKeys, listRecords } from './read-directory.ts';

/** A list of the entities of one kind; `name` is also the name of the list in the document. */
interface List<Kind extends EntityKind> {
  readonly kind: Kind;
  readonly name: string;
  /** The columns of the table: the heading of each, with a property of the document or a function. */
  readonly columns: Readonly<Record<string, string | ((record: DirectoryRecord<Kind>) => string)>>;
  /** Returns the properties of an entry in the document that toListedValue does not return. */
  readonly toAdditions?: (record: DirectoryRecord<Kind>) => object;
}

function toView<Kind extends EntityKind>({ kind, columns, toAdditions }: List<Kind>): ListView<DirectoryRecord<Kind>> {
  const toDocument = (record: DirectoryRecord<Kind>): Attributes => ({
    ...toListedValue(kind, record),
    ...toAdditions?.(record),
  });
  return {
    header: Object.keys(columns),
    toRow(record) {
      const document = toDocument(record);
      return Object.values(columns).map((column) =>
        typeof column === 'function' ? column(record) : toText(document[column]),
      );
    },
    toDocument,
  };
}

function toText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String((value as string | number | null) ?? '-');
}

function defineListCommand<Kind extends Exclude<EntityKind, 'tenant'>>(summary: string, list: List<Kind>) {
  const { kind, name } = list;
  const hasCompany = kind !== 'company';
  const example = `list-${name} demo.example ${hasCompany ? '--company 100 ' : ''}--local`;
  const command = defineCommand(`list-${name}`, { summary, example }).argument('<tenant>', 'the tenant');
  if (hasCompany) command.option('--company <company>', 'list only the entities of this company');
  return command.action((tenant, { company, ...options }: CommonOptions & { readonly company?: string }) =>
    runCommand(options, async ({ ports, output }) => {
      const pages = readPages(ports, kind, tenant, company);
      await output.list({ tenant }, name, pages as AsyncIterable<readonly DirectoryRecord<Kind>[]>, toView(list));
    }),
  );
}

async function* readPages(
  ports: AdminPorts,
  kind: Exclude<EntityKind, 'tenant'>,
  tenant: string,
  company: string | undefined,
): AsyncGenerator<readonly Attributes[]> {
  if (kind === 'api_key') yield await listApiKeys(ports, tenant, company);
  else yield* listRecords(ports, kind, tenant, company);
}

const listTenantsCommand = defineCommand('list-tenants', {
  summary: 'List the tenants with their global tolerances. This reads the whole directory.',
  example: 'list-tenants --local',
}).action((options) =>
  runCommand(options, async ({ ports, output }) => {
    const columns = { tenant: 'tenant', tolerance: toToleranceText };
    await output.list({}, 'tenants', ports.records.tenants(), toView({ kind: 'tenant', name: 'tenants', columns }));
  }),
);

/** The commands that list the entities of each kind: `list-tenants`, `list-companies` and so on. */
export const listCommands = [
  listTenantsCommand,
  defineListCommand('List the companies of a tenant, with the time of their suspension.', {
    kind: 'company',
    name: 'companies',
    columns: { company: 'company_id', name: 'name', status: 'status', 'stopped at': 'stopped_at' },
  }),
  defineListCommand('List the suppliers of a tenant, with their own tolerances.', {
    kind: 'supplier',
    name: 'suppliers',
    columns: { supplier: 'supplier_id', name: 'name', company: 'company_id', tolerance: toToleranceText },
  }),
  defineListCommand('List the users of a tenant, with the status of their access.', {
    kind: 'user',
    name: 'users',
    columns: {
      user: 'user_id',
      'e-mail': 'email',
      username: 'username',
      company: 'company_id',
      supplier: 'supplier_id',
      status: 'status',
      'player ids': 'player_id_count',
      permissions: 'permissions',
    },
    toAdditions: (user) => ({ status: getUserStatus(user), player_id_count: user.player_ids?.length ?? 0 }),
  }),
  defineListCommand('List the API keys of a tenant, with the last 4 characters of each.', {
    kind: 'api_key',
    name: 'keys',
    columns: {
      company: 'company_id',
      name: 'name',
      'last 4': 'last4',
      status: 'status',
      'valid from': 'valid_from',
      'valid until': 'valid_until',
    },
    toAdditions: (key) => ({ scope: undefined, last4: key.last4, status: getApiKeyStatus(key) }),
  }),
];

/** Describes the own tolerance of a tenant or a supplier in a few words; a dash if it has none. */
function toToleranceText({ tolerance }: { readonly tolerance?: ToleranceRecord | undefined }): string {
  const config = toToleranceConfig(tolerance);
  return config ? limitsText(config) : '-';
}

/** Returns ACTIVE, or the first reason why a user cannot log in. */
function getUserStatus(user: DirectoryRecord<'user'>): 'ACTIVE' | 'INACTIVE' | 'NO_LICENSE' | 'EXPIRED' {
  const { active, license_active: isLicensed, expires_at: expiresAt } = user;
  if (!active) return 'INACTIVE';
  if (!isLicensed) return 'NO_LICENSE';
  return expiresAt !== undefined && new Date(expiresAt) <= systemClock.now() ? 'EXPIRED' : 'ACTIVE';
}

/** Returns the status of a key: REVOKED, or EXPIRED if it is active and its validity has ended. */
function getApiKeyStatus(key: DirectoryRecord<'api_key'>): typeof key.status | 'REVOKED' | 'EXPIRED' {
  const { status, valid_until: validUntil, revoked_at: revokedAt } = key;
  if (revokedAt !== undefined) return 'REVOKED';
  return status === 'ACTIVE' && new Date(validUntil) < systemClock.now() ? 'EXPIRED' : status;
}
