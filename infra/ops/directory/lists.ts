import { toListedValue } from './entry-values.ts';
import { getApiKeyStatus, getUserStatus, listApiKeys, listRecords } from './read-directory.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import { toToleranceConfig } from '../../../lib/domain/directory.ts';
import type { DirectoryRecord, EntityKind, ToleranceRecord } from '../../../lib/domain/directory-fields.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { type CommonOptions, defineCommand, EXIT, runCommand } from '../command.ts';
import type { ListView } from '../output.ts';
import { limitsText } from '../tolerance-text.ts';

/** The columns of a table from left to right: each heading with a field, or a function that returns the cell. */
type Columns<Entry> = Readonly<Record<string, keyof Entry | ((entry: Entry) => string)>>;

/** A list of the entities of one kind; `list` is also the name of the list in the document. */
interface ListKind<Kind extends EntityKind> {
  readonly list: string;
  readonly summary: string;
  readonly read: (
    ports: AdminPorts,
    tenant: string,
    company?: string,
  ) => AsyncIterable<readonly DirectoryRecord<Kind>[]>;
  readonly columns: Columns<DirectoryRecord<Kind>>;
  /** Returns the properties of an entry in the document that toListedValue does not return. */
  readonly additions?: (record: DirectoryRecord<Kind>) => object;
  /** True if the command can list the entities of one company. */
  readonly byCompany?: boolean;
}

function defineListCommand<Kind extends EntityKind>(
  kind: Kind,
  { list, summary, read, columns, additions, byCompany = true }: ListKind<Kind>,
) {
  const example = `list-${list} demo.example ${byCompany ? '--company 100 ' : ''}--local`;
  const command = defineCommand(`list-${list}`, { summary, example }).argument('<tenant>', 'the tenant');
  if (byCompany) command.option('--company <company>', 'list only the entities of this company');
  return command.action((tenant, { company, ...options }: CommonOptions & { readonly company?: string }) =>
    runCommand(options, async ({ ports, output }) => {
      await output.list({ tenant }, list, read(ports, tenant, company), toView(kind, columns, additions));
      return EXIT.done;
    }),
  );
}

function toView<Kind extends EntityKind>(
  kind: Kind,
  columns: Columns<DirectoryRecord<Kind>>,
  additions?: (record: DirectoryRecord<Kind>) => object,
): ListView<DirectoryRecord<Kind>> {
  return {
    header: Object.keys(columns),
    toRow: (record) =>
      Object.values(columns).map((cell) => (typeof cell === 'function' ? cell(record) : toText(record[cell]))),
    toDocument: (record) => ({ ...toListedValue(kind, record), ...additions?.(record) }),
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

const listTenantsCommand = defineCommand('list-tenants', {
  summary: 'List the tenants with their global tolerances. This reads the whole directory.',
  example: 'list-tenants --local',
}).action((options) =>
  runCommand(options, async ({ ports, output }) => {
    const view = toView('tenant', { tenant: 'tenant', tolerance: toToleranceText });
    await output.list({}, 'tenants', ports.records.tenants(), view);
    return EXIT.done;
  }),
);

/** The commands that list the entities of each kind: `list-tenants`, `list-companies` and so on. */
export const listCommands = [
  listTenantsCommand,
  defineListCommand('company', {
    list: 'companies',
    summary: 'List the companies of a tenant, with the time of their suspension.',
    byCompany: false,
    read: (ports, tenant) => listRecords(ports, 'company', tenant),
    columns: { company: 'company_id', name: 'name', status: 'status', 'stopped at': 'stopped_at' },
  }),
  defineListCommand('supplier', {
    list: 'suppliers',
    summary: 'List the suppliers of a tenant, with their own tolerances.',
    read: (ports, tenant, company) => listRecords(ports, 'supplier', tenant, company),
    columns: { supplier: 'supplier_id', name: 'name', company: 'company_id', tolerance: toToleranceText },
  }),
  defineListCommand('user', {
    list: 'users',
    summary: 'List the users of a tenant, with the status of their access.',
    read: (ports, tenant, company) => listRecords(ports, 'user', tenant, company),
    columns: {
      user: 'user_id',
      'e-mail': 'email',
      username: 'username',
      company: 'company_id',
      supplier: 'supplier_id',
      status: toUserStatus,
      'player ids': ({ player_ids: ids = [] }) => `${ids.length}`,
      permissions: 'permissions',
    },
    additions: (user) => ({ status: toUserStatus(user), player_id_count: user.player_ids?.length ?? 0 }),
  }),
  defineListCommand('api_key', {
    list: 'keys',
    summary: 'List the API keys of a tenant, with the last 4 characters of each.',
    async *read(ports, tenant, company) {
      yield await listApiKeys(ports, tenant, company);
    },
    columns: {
      company: 'company_id',
      name: 'name',
      'last 4': 'last4',
      status: toKeyStatus,
      'valid from': 'valid_from',
      'valid until': 'valid_until',
    },
    additions: (key) => ({ scope: undefined, last4: key.last4, status: toKeyStatus(key) }),
  }),
];
