import { Option } from '@commander-js/extra-typings';
import type { DirectoryRecord, EntityKind, ToleranceRecord } from '../../../lib/domain/directory-fields.ts';
import { toToleranceConfig } from '../../../lib/domain/directory.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { toPrintableJson } from '../../../lib/runtime/printable.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { type CommonOptions, defineCommand, formatCount, matching, runCommand } from '../command.ts';
import { outOption } from '../output/out-file.ts';
import type { ListView } from '../output/output.ts';
import { keysIn, type ListedKind, type ListedRecord } from '../tables/directory-records.ts';
import { DirectorySnapshot, toText } from './change-directory.ts';
import { listRecords } from './read-directory.ts';
import { LISTS, toFileEntry, toListEntry } from './read-entries.ts';
import { describeLimits } from './tolerances.ts';

const expiringOption = new Option(
  '--expiring <days>',
  'list only active ones that expire within so many days: 30d',
).argParser((text) => Number.parseInt(matching(/^\d{1,5}d$/, 'a number of days, such as 30d')(text), 10));

/** The commands that list the entities of each kind: `list-tenants`, `list-companies` and so on. */
export const listCommands = [
  defineCommand('list-tenants', {
    summary: 'List the tenants with their global tolerances. This reads the whole directory.',
    example: 'list-tenants --local',
  }).action((options) =>
    runCommand(options, ({ ports, output }) =>
      output.list({}, 'tenants', ports.records.tenants(), createView('tenant', ['tenant', 'tolerance'])),
    ),
  ),
  defineListCommand('companies', 'company', {
    summary: 'List the companies of a tenant, with the time at which a command suspended them.',
    columns: ['company_id', 'name', 'status', 'stopped_at'],
  }),
  defineListCommand('suppliers', 'supplier', {
    summary: 'List the suppliers of a tenant, with their own tolerances.',
    columns: ['supplier_id', 'name', 'company_id', 'tolerance'],
  }),
  defineListCommand('users', 'user', {
    summary: 'List the users of a tenant, with the status of their access.',
    columns: ['user_id', 'email', 'username', 'company_id', 'supplier_id', 'status', 'expires_at', 'permissions'],
  }),
  defineListCommand('keys', 'api_key', {
    summary: 'List the API keys of a tenant, with the last 4 characters of each.',
    columns: ['company_id', 'name', 'last4', 'status', 'valid_from', 'valid_until'],
  }),
];

interface EntityList {
  readonly summary: string;
  /** The properties of the document that the table shows; its headings are without `_id`. */
  readonly columns: readonly string[];
}

type ListOptions = CommonOptions & { readonly company?: string; readonly expiring?: number };

/** Defines the command `list-NAME`. The name is also the name of the list in the document. */
function defineListCommand(name: string, kind: ListedKind, { summary, columns }: EntityList) {
  const hasCompany = kind !== 'company';
  const example = `list-${name} demo.example ${hasCompany ? '--company 100 ' : ''}--local`;
  const command = defineCommand(`list-${name}`, { summary, example }).argument('<tenant>', 'the tenant');
  if (hasCompany) command.option('--company <company>', `list only the ${name} of the company with this id`);
  if (kind === 'user' || kind === 'api_key') command.addOption(expiringOption);
  return command.action((tenant, { company, expiring, ...options }: ListOptions) =>
    runCommand(options, ({ ports, output }) => {
      const pages = listRecords(ports, kind, tenant, company);
      const selected = expiring === undefined ? pages : selectExpiring(pages, expiring);
      return output.list({ tenant }, name, selected, createView(kind, columns));
    }),
  );
}

function createView(kind: EntityKind, columns: readonly string[]): ListView<Attributes> {
  const toDocument = (record: Attributes) => {
    const entry = toListEntry(kind, record);
    return kind === 'user' || kind === 'api_key' ? { ...entry, status: getAccessStatus(record) } : entry;
  };
  return {
    header: columns.map((property) => property.replace(/_id$/, '').replaceAll('_', ' ')),
    toRow(record) {
      const tolerance = toToleranceConfig(record['tolerance'] as ToleranceRecord | undefined);
      const shown: Attributes = { ...toDocument(record), tolerance: tolerance && describeLimits(tolerance) };
      return columns.map((property) => toText(shown[property], '-'));
    },
    toDocument,
  };
}

/** Yields only the users or API keys that are active and expire within a number of days. */
export async function* selectExpiring(pages: AsyncIterable<readonly Attributes[]>, days: number) {
  const limitMs = systemClock.now().getTime() + days * DAY_MS;
  const isExpiring = (record: Attributes) =>
    getAccessStatus(record) === 'ACTIVE' && Date.parse(findAccessEnd(record) ?? '') <= limitMs;
  for await (const page of pages) yield page.filter(isExpiring);
}

function findAccessEnd({ expires_at, valid_until }: Partial<AccessFields>): string | undefined {
  return expires_at ?? valid_until;
}

type AccessFields = DirectoryRecord<'user'> & Omit<DirectoryRecord<'api_key'>, 'status'> & { readonly status: string };

/** Returns the status of a user or an API key: ACTIVE, or the first reason why it is rejected. */
export function getAccessStatus(record: Partial<AccessFields>): string {
  const end = findAccessEnd(record);
  if (record.erased_at !== undefined) return 'ERASED';
  if (record.revoked_at !== undefined) return 'REVOKED';
  if (record.active === false || record.status === 'INACTIVE') return 'INACTIVE';
  if (record.license_active === false) return 'NO_LICENSE';
  return end !== undefined && new Date(end) < systemClock.now() ? 'EXPIRED' : 'ACTIVE';
}

export const exportCommand = defineCommand('export', {
  summary: 'Print a tenant as a file for apply (JSON), without passwords, keys and player ids.',
  example: 'export demo.example --local',
})
  .argument('<tenant>', 'the tenant')
  .addOption(outOption)
  .action((tenant, options) =>
    runCommand(options, async ({ ports, output }) => {
      const directory = new DirectorySnapshot(ports.records);
      const record = await directory.getExisting(keysIn(tenant).tenant);
      const apiKeys = await collectPages(ports.records.pages('api_key', tenant));
      const nameableKeys = await findNameableKeys(directory, tenant, apiKeys);
      const lists: Record<string, object[]> = {};
      for (const [name, kind] of Object.entries(LISTS)) {
        const records = kind === 'api_key' ? nameableKeys : await collectPages(ports.records.pages(kind, tenant));
        const entries = records
          .filter((each: Attributes) => each['erased_at'] === undefined)
          .map((each) => toFileEntry(kind, each));
        if (entries.length > 0) lists[name] = entries;
      }
      const file = { tenants: [{ ...toFileEntry('tenant', record), ...lists }] };
      output.write(toPrintableJson(`${JSON.stringify(file, null, 2)}\n`));
      await output.complete();
      const omittedCount = apiKeys.length - nameableKeys.length;
      if (omittedCount > 0) {
        output.note(`Left out: ${formatCount(omittedCount, 'API key')}, revoked or with a newer one of the same name.`);
      }
    }),
  );

/** Finds the keys that a file identifies by company and name: the latest key of each name, unless it is revoked. */
async function findNameableKeys(
  directory: DirectorySnapshot,
  tenant: string,
  keys: readonly ListedRecord<'api_key'>[],
): Promise<ListedRecord<'api_key'>[]> {
  const unrevoked = keys.filter(({ revoked_at: revokedAt }) => revokedAt === undefined);
  const pointers = await Promise.all(
    unrevoked.map(({ company_id: id, name }) => directory.get(keysIn(tenant).apiKeyName(id, name))),
  );
  return unrevoked.filter((key, index) => pointers[index]?.key_hash === key.key_hash);
}
