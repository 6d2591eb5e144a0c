import { toListedValue } from '../../../lib/admin/directory/entry-values.ts';
import { getApiKeyStatus, listApiKeys, listRecords, getUserStatus } from '../../../lib/admin/directory/lists.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import { toToleranceConfig } from '../../../lib/domain/directory-entities.ts';
import type { DirectoryRecord, ToleranceRecord } from '../../../lib/domain/directory-fields.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { type CommonOptions, defineCommand, EXIT, runCommand } from '../command.ts';
import type { ListView } from '../output.ts';
import { limitsText } from '../tolerance-text.ts';

/** The heading of the column of a field, with a function if its cells are converted; null if it is in no column. */
type Column<Entry> = string | readonly [heading: string, toCell: (entry: Entry) => string] | null;

/** The columns of a table, from left to right. */
type ColumnsOf<Entry> = { readonly [Name in keyof Entry]-?: Column<Entry> };

/** A list of the entities of a tenant; its name is also that of the list in the document. */
interface ListKind<Entry> {
  readonly summary: string;
  readonly read: (ports: AdminPorts, tenant: string, company: string | undefined) => AsyncIterable<readonly Entry[]>;
  readonly columns: ColumnsOf<Entry>;
  readonly toDocument: (entry: Entry) => object;
  /** True if the command can list the entities of one company. */
  readonly byCompany?: boolean;
}

function defineListCommand<Entry extends object>(
  list: string,
  { summary, read, columns, toDocument, byCompany = false }: ListKind<Entry>,
) {
  const example = `list-${list} demo.example ${byCompany ? '--company 100 ' : ''}--local`;
  const command = defineCommand(`list-${list}`, { summary, example }).argument('<tenant>', 'the tenant');
  if (byCompany) command.option('--company <company>', 'only those of this company');
  return command.action((tenant, { company, ...options }: CommonOptions & { readonly company?: string }) =>
    runCommand(options, async ({ ports, output }) => {
      await output.list({ tenant }, list, read(ports, tenant, company), { ...toTable(columns), toDocument });
      return EXIT.done;
    }),
  );
}

function toTable<Entry extends object>(columns: ColumnsOf<Entry>): Pick<ListView<Entry>, 'header' | 'toRow'> {
  const shown = Object.entries<Column<Entry>>(columns).flatMap(([name, column]) => {
    if (column === null) return [];
    const [heading, toCell] = typeof column === 'string' ? [column] : column;
    return [{ heading, toCell: toCell ?? ((entry: Entry) => toText(entry[name as keyof Entry])) }];
  });
  return {
    header: shown.map(({ heading }) => heading),
    toRow: (entry) => shown.map(({ toCell }) => toCell(entry)),
  };
}

function toText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : ((value as string | undefined) ?? '-');
}

/** Describes the own tolerance of a tenant or a supplier in a few words; a dash if it has none. */
function toToleranceText({ tolerance }: { readonly tolerance?: ToleranceRecord | undefined }): string {
  const config = toToleranceConfig(tolerance);
  return config ? limitsText(config) : '-';
}

const toUserStatus = (user: DirectoryRecord<'user'>) => getUserStatus(user, systemClock.now());
const toKeyStatus = (key: DirectoryRecord<'api_key'>) => getApiKeyStatus(key, systemClock.now());

/** `list-tenants`: the tenants, each with its global tolerance. */
const listTenantsCommand = defineCommand('list-tenants', {
  summary: 'List the tenants, each with its global tolerance; this reads the whole directory.',
  example: 'list-tenants --local',
}).action((options) =>
  runCommand(options, async ({ ports, output }) => {
    await output.list({}, 'tenants', ports.records.tenants(), {
      ...toTable<DirectoryRecord<'tenant'>>({ tenant: 'tenant', tolerance: ['tolerance', toToleranceText] }),
      toDocument: (record) => toListedValue('tenant', record),
    });
    return EXIT.done;
  }),
);

/** The commands that list the entities of each kind: `list-tenants`, `list-companies` and so on. */
export const listCommands = [
  listTenantsCommand,
  defineListCommand<DirectoryRecord<'company'>>('companies', {
    summary: 'List the companies of a tenant, and since when a company is suspended by suspend-company.',
    read: (ports, tenant) => listRecords(ports, 'company', tenant),
    columns: { company_id: 'company', name: 'name', status: 'status', stopped_at: 'stopped at' },
    toDocument: (record) => toListedValue('company', record),
  }),
  defineListCommand<DirectoryRecord<'supplier'>>('suppliers', {
    summary: 'List the suppliers of a tenant, each with the tolerance that it has of its own.',
    byCompany: true,
    read: (ports, tenant, company) => listRecords(ports, 'supplier', tenant, company),
    columns: {
      supplier_id: 'supplier',
      name: 'name',
      company_id: 'company',
      tolerance: ['tolerance', toToleranceText],
    },
    toDocument: (record) => toListedValue('supplier', record),
  }),
  defineListCommand<DirectoryRecord<'user'>>('users', {
    summary: 'List the users of a tenant, and whether they are let in.',
    byCompany: true,
    read: (ports, tenant, company) => listRecords(ports, 'user', tenant, company),
    columns: {
      user_id: 'user',
      email: 'e-mail',
      username: 'username',
      company_id: 'company',
      supplier_id: 'supplier',
      active: ['status', toUserStatus],
      player_ids: ['player ids', ({ player_ids: ids = [] }) => `${ids.length}`],
      permissions: 'permissions',
      license_active: null,
      expires_at: null,
      stopped_at: null,
      tokens_from: null,
    },
    toDocument: (user) => ({
      ...toListedValue('user', user),
      status: toUserStatus(user),
      player_id_count: user.player_ids?.length ?? 0,
    }),
  }),
  defineListCommand<DirectoryRecord<'api_key'>>('keys', {
    summary: 'List the API keys of a tenant; of each only the last 4 characters are known.',
    byCompany: true,
    async *read(ports, tenant, company) {
      yield await listApiKeys(ports, tenant, company);
    },
    columns: {
      company_id: 'company',
      name: 'name',
      last4: 'last 4',
      status: ['status', toKeyStatus],
      valid_from: 'valid from',
      valid_until: 'valid until',
      tenant: null,
      scope: null,
      revoked_at: null,
    },
    toDocument(key) {
      const { scope: _, ...listed } = toListedValue('api_key', key);
      return { ...listed, last4: key.last4, status: toKeyStatus(key) };
    },
  }),
];
