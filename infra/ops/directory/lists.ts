import { Option } from '@commander-js/extra-typings';
import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { toToleranceConfig } from '../../../lib/domain/directory.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { defineCommand, matching, runCommand } from '../command.ts';
import type { ListView } from '../output/output.ts';
import { toListEntry } from './entry-fields.ts';
import { toText } from './print-result.ts';
import { listRecords } from './read-directory.ts';
import { describeLimits } from './tolerances.ts';

type UserAccess = Pick<DirectoryRecord<'user'>, 'active' | 'license_active' | 'expires_at' | 'erased_at'>;
type KeyAccess = Readonly<Record<'status' | 'valid_until' | 'revoked_at', string>>;

/** The fields that determine the access of a user or of an API key. A record contains only those of its kind. */
type AccessFields = Partial<UserAccess & KeyAccess>;

const TENANT_VIEW: ListView<DirectoryRecord<'tenant'>> = {
  header: ['tenant', 'tolerance'],
  toRow(record) {
    const tolerance = toToleranceConfig(record.tolerance);
    return [record.tenant, tolerance ? describeLimits(tolerance) : '-'];
  },
  toDocument: (record) => toListEntry('tenant', record),
};

const requireDays = matching(/^\d{1,5}d$/, 'a number of days, such as 30d');

const expiringOption = new Option(
  '--expiring <days>',
  'list only active ones that expire within so many days: 30d',
).argParser((text) => Number.parseInt(requireDays(text), 10));

export const listCommands = [
  defineCommand('list-tenants', {
    summary: 'List the tenants with their global tolerances. This reads the whole directory.',
    example: 'list-tenants --local',
  }).action((options) =>
    runCommand(options, ({ ports, output }) => output.list({}, 'tenants', ports.records.tenants(), TENANT_VIEW)),
  ),
  defineAccessList('users', 'user', {
    summary: 'List the users of a tenant, with the status of their access.',
    columns: ['user_id', 'email', 'username', 'company_id', 'supplier_id', 'status', 'expires_at', 'permissions'],
  }),
  defineAccessList('keys', 'api_key', {
    summary: 'List the API keys of a tenant, with the last 4 characters of each.',
    columns: ['company_id', 'name', 'last4', 'status', 'valid_from', 'valid_until'],
  }),
];

/** Defines the command `list-users` or `list-keys`. Its table shows the properties `columns` of an entry. */
function defineAccessList(
  name: 'users' | 'keys',
  kind: 'user' | 'api_key',
  { summary, columns }: { summary: string; columns: readonly string[] },
) {
  const example = `list-${name} demo.example --company 100 --local`;
  const view: ListView<Attributes> = {
    header: columns.map((property) => property.replace(/_id$/, '').replaceAll('_', ' ')),
    toRow(record) {
      const entry: Attributes = toAccessEntry(kind, record);
      return columns.map((property) => toText(entry[property], '-'));
    },
    toDocument: (record) => toAccessEntry(kind, record),
  };
  return defineCommand(`list-${name}`, { summary, example })
    .argument('<tenant>', 'the tenant')
    .option('--company <company>', `list only the ${name} of the company with this id`)
    .addOption(expiringOption)
    .action((tenant, { company, expiring, ...options }) =>
      runCommand(options, ({ ports, output }) => {
        const pages = listRecords(ports, kind, tenant, company);
        const selectedPages = expiring === undefined ? pages : selectExpiring(pages, expiring);
        return output.list({ tenant }, name, selectedPages, view);
      }),
    );
}

function toAccessEntry(kind: 'user' | 'api_key', record: Attributes) {
  return { ...toListEntry(kind, record), status: getAccessStatus(record) };
}

/** Yields only the users or API keys that are active and expire within a number of days. */
export async function* selectExpiring(pages: AsyncIterable<readonly Attributes[]>, days: number) {
  const limitMs = systemClock.now().getTime() + days * DAY_MS;
  for await (const page of pages) yield page.filter((record) => isExpiring(record, limitMs));
}

function isExpiring(record: AccessFields, limitMs: number): boolean {
  const end = findAccessEnd(record);
  if (end === undefined || getAccessStatus(record) !== 'ACTIVE') return false;
  return Date.parse(end) <= limitMs;
}

/** Returns the status of a user or an API key, which is ACTIVE or the first reason for its rejection. */
export function getAccessStatus(record: AccessFields): string {
  if (record.erased_at !== undefined) return 'ERASED';
  if (record.revoked_at !== undefined) return 'REVOKED';
  if (record.active === false || record.status === 'INACTIVE') return 'INACTIVE';
  if (record.license_active === false) return 'NO_LICENSE';
  const end = findAccessEnd(record);
  const isExpired = end !== undefined && new Date(end) < systemClock.now();
  return isExpired ? 'EXPIRED' : 'ACTIVE';
}

/** Returns the last instant of the access of a user (`expires_at`) or of an API key (`valid_until`), if it ends. */
function findAccessEnd({ expires_at, valid_until }: AccessFields): string | undefined {
  return expires_at ?? valid_until;
}
