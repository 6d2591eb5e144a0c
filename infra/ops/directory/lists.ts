import { apiKeyStatus, listApiKeys, listOf, userStatus } from '../../../lib/admin/directory/lists.ts';
import { configuredTolerance, type MayHaveTolerance } from '../../../lib/admin/directory/tolerances.ts';
import { companyValue, supplierValue, tenantValue, userValue } from '../../../lib/admin/export/file-values.ts';
import type { AdminPorts } from '../../../lib/admin/ports/admin-ports.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { type CommonOptions, defineCommand, EXIT, runCommand } from '../command.ts';
import type { ListView } from '../output.ts';
import { limitsText } from '../tolerance-text.ts';

/** A list of what a tenant has; its name is also that of the list in the document. */
interface ListKind<Entry> extends ListView<Entry> {
  readonly summary: string;
  readonly read: (ports: AdminPorts, tenant: string, company: string | undefined) => AsyncIterable<readonly Entry[]>;
  /** It can be that of one company. */
  readonly byCompany?: boolean;
}

function defineListCommand<Entry>(list: string, { summary, read, byCompany = false, ...view }: ListKind<Entry>) {
  const example = `list-${list} demo.example ${byCompany ? '--company 100 ' : ''}--local`;
  const command = defineCommand(`list-${list}`, { summary, example }).argument('<tenant>', 'the tenant');
  if (byCompany) command.option('--company <company>', 'only those of this company');
  return command.action((tenant, { company, ...options }: CommonOptions & { readonly company?: string }) =>
    runCommand(options, async ({ ports, output }) => {
      await output.list({ tenant }, list, read(ports, tenant, company), view);
      return EXIT.done;
    }),
  );
}

/** The tolerance that a tenant or a supplier has of its own, in a few words; a dash: it has none. */
function ownTolerance(record: MayHaveTolerance): string {
  const config = configuredTolerance(record);
  return config ? limitsText(config) : '-';
}

/** What a file says of a record, and null where it has no tolerance of its own. */
const withTolerance = <Value extends { tolerance?: unknown }>(value: Value) => ({
  ...value,
  tolerance: value.tolerance ?? null,
});

/** `list-tenants`: the tenants, each with its global tolerance. */
const listTenantsCommand = defineCommand('list-tenants', {
  summary: 'List the tenants, each with its global tolerance; this reads the whole directory.',
  example: 'list-tenants --local',
}).action((options) =>
  runCommand(options, async ({ ports, output }) => {
    await output.list({}, 'tenants', ports.records.tenants(), {
      header: ['tenant', 'tolerance'],
      toRow: (record) => [record.tenant, ownTolerance(record)],
      toDocument: (record) => withTolerance(tenantValue(record)),
    });
    return EXIT.done;
  }),
);

/** A command for each kind of what there is: `list-tenants`, `list-companies` and so on. */
export const listCommands = [
  listTenantsCommand,
  defineListCommand('companies', {
    summary: 'List the companies of a tenant, and since when a company is suspended by suspend-company.',
    read: (ports, tenant) => listOf(ports, 'company', tenant),
    header: ['company', 'name', 'status', 'stopped at'],
    toRow: ({ company_id: id, name, status, stopped_at: since = '-' }) => [id, name, status, since],
    toDocument: (record) => ({ ...companyValue(record), stopped_at: record.stopped_at ?? null }),
  }),
  defineListCommand('suppliers', {
    summary: 'List the suppliers of a tenant, each with the tolerance that it has of its own.',
    byCompany: true,
    read: (ports, tenant, company) => listOf(ports, 'supplier', tenant, company),
    header: ['supplier', 'name', 'company', 'tolerance'],
    toRow: (record) => [record.supplier_id, record.name, record.company_id, ownTolerance(record)],
    toDocument: (record) => withTolerance(supplierValue(record)),
  }),
  defineListCommand('users', {
    summary: 'List the users of a tenant, and whether they are let in.',
    byCompany: true,
    read: (ports, tenant, company) => listOf(ports, 'user', tenant, company),
    header: ['user', 'e-mail', 'username', 'company', 'supplier', 'status', 'player ids', 'permissions'],
    toRow(user) {
      const { user_id: id, email, username = '-', company_id: company, supplier_id: supplier = '-' } = user;
      const { player_ids: playerIds = [] } = user;
      const status = userStatus(user, systemClock.now());
      return [id, email, username, company, supplier, status, `${playerIds.length}`, user.permissions.join(', ')];
    },
    toDocument(user) {
      const { username = null, supplier_id = null, expires_at = null, stopped_at = null, player_ids = [] } = user;
      return {
        ...userValue(user),
        username,
        supplier_id,
        expires_at,
        stopped_at,
        status: userStatus(user, systemClock.now()),
        player_id_count: player_ids.length,
      };
    },
  }),
  defineListCommand('keys', {
    summary: 'List the API keys of a tenant; of each only the last 4 characters are known.',
    byCompany: true,
    async *read(ports, tenant, company) {
      yield await listApiKeys(ports, tenant, company);
    },
    header: ['company', 'name', 'last 4', 'status', 'valid from', 'valid until'],
    toRow: (key) => [
      key.companyId,
      key.name,
      key.last4,
      apiKeyStatus(key, systemClock.now()),
      key.validFrom,
      key.validUntil,
    ],
    toDocument: (key) => ({
      company_id: key.companyId,
      name: key.name,
      last4: key.last4,
      status: apiKeyStatus(key, systemClock.now()),
      valid_from: key.validFrom,
      valid_until: key.validUntil,
      revoked_at: key.revokedAt,
    }),
  }),
];
