import { Option } from '@commander-js/extra-typings';
import type { DirectoryRecord, EntityKind, ToleranceRecord } from '../../../lib/domain/directory-fields.ts';
import { toToleranceConfig } from '../../../lib/domain/directory.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { type CommonOptions, defineCommand, matching, runCommand } from '../command.ts';
import type { ListView } from '../output/output.ts';
import type { ListedKind } from '../tables/directory-records.ts';
import { toListEntry } from './entry-fields.ts';
import { toText } from './print-result.ts';
import { listRecords } from './read-directory.ts';
import { describeLimits } from './tolerances.ts';

type ListOptions = CommonOptions & { readonly company?: string; readonly expiring?: number };

/** The fields of users and of API keys. */
type AccessFields = DirectoryRecord<'user'> & Omit<DirectoryRecord<'api_key'>, 'status'> & { readonly status: string };

const expiringOption = new Option(
  '--expiring <days>',
  'list only active ones that expire within so many days: 30d',
).argParser(parseDays);

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

function parseDays(text: string): number {
  return Number.parseInt(matching(/^\d{1,5}d$/, 'a number of days, such as 30d')(text), 10);
}

/** Defines the command `list-NAME`, which prints the list NAME. Its table shows the properties `columns` of an entry. */
function defineListCommand(
  name: string,
  kind: ListedKind,
  { summary, columns }: { summary: string; columns: readonly string[] },
) {
  const hasCompany = kind !== 'company';
  const companyArguments = hasCompany ? '--company 100 ' : '';
  const example = `list-${name} demo.example ${companyArguments}--local`;
  const command = defineCommand(`list-${name}`, { summary, example }).argument('<tenant>', 'the tenant');
  if (hasCompany) command.option('--company <company>', `list only the ${name} of the company with this id`);
  if (hasAccess(kind)) command.addOption(expiringOption);
  return command.action((tenant, { company, expiring, ...options }: ListOptions) =>
    runCommand(options, ({ ports, output }) => {
      const pages = listRecords(ports, kind, tenant, company);
      const selected = expiring === undefined ? pages : selectExpiring(pages, expiring);
      return output.list({ tenant }, name, selected, createView(kind, columns));
    }),
  );
}

function hasAccess(kind: EntityKind): boolean {
  return kind === 'user' || kind === 'api_key';
}

function createView(kind: EntityKind, columns: readonly string[]): ListView<Attributes> {
  const toDocument = (record: Attributes) => {
    const entry = toListEntry(kind, record);
    return hasAccess(kind) ? { ...entry, status: getAccessStatus(record) } : entry;
  };
  return {
    header: columns.map((property) => property.replace(/_id$/, '').replaceAll('_', ' ')),
    toRow(record) {
      const tolerance = toToleranceConfig(record['tolerance'] as ToleranceRecord | undefined);
      const cells: Attributes = { ...toDocument(record), tolerance: tolerance && describeLimits(tolerance) };
      return columns.map((property) => toText(cells[property], '-'));
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

/** Returns the status of a user or an API key, which is ACTIVE or the first reason for its rejection. */
export function getAccessStatus(record: Partial<AccessFields>): string {
  const end = findAccessEnd(record);
  if (record.erased_at !== undefined) return 'ERASED';
  if (record.revoked_at !== undefined) return 'REVOKED';
  if (record.active === false || record.status === 'INACTIVE') return 'INACTIVE';
  if (record.license_active === false) return 'NO_LICENSE';
  return end !== undefined && new Date(end) < systemClock.now() ? 'EXPIRED' : 'ACTIVE';
}

function findAccessEnd({ expires_at, valid_until }: Partial<AccessFields>): string | undefined {
  return expires_at ?? valid_until;
}
