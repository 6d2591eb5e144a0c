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

interface EntityList<Kind extends EntityKind> {
  readonly kind: Kind;
  /** The properties of the document that the table shows; its headings are without `_id`. */
  readonly columns: readonly string[];
  /** Returns the properties of an entry in the document that toListEntry does not return. */
  readonly toAdditions?: (record: DirectoryRecord<Kind>) => object;
}

function toView<Kind extends EntityKind>(list: EntityList<Kind>): ListView<DirectoryRecord<Kind>> {
  const { kind, columns, toAdditions } = list;
  const toDocument = (record: DirectoryRecord<Kind>) => ({ ...toListEntry(kind, record), ...toAdditions?.(record) });
  return {
    header: columns.map((property) => property.replace(/_id$/, '').replaceAll('_', ' ')),
    toRow(record) {
      const { tolerance }: { tolerance?: ToleranceRecord | undefined } = record;
      const config = toToleranceConfig(tolerance);
      const shown: Attributes = { ...toDocument(record), tolerance: config && describeLimits(config) };
      return columns.map((property) => toText(shown[property], '-'));
    },
    toDocument,
  };
}

/** Defines the command `list-NAME`. The name is also the name of the list in the document. */
function defineListCommand<Kind extends ListedKind>(name: string, summary: string, list: EntityList<Kind>) {
  const hasCompany = list.kind !== 'company';
  const example = `list-${name} demo.example ${hasCompany ? '--company 100 ' : ''}--local`;
  const command = defineCommand(`list-${name}`, { summary, example }).argument('<tenant>', 'the tenant');
  if (hasCompany) command.option('--company <company>', `list only the ${name} of the company with this id`);
  if (list.kind === 'user' || list.kind === 'api_key') command.addOption(expiringOption);
  return command.action((tenant, { company, expiring, ...options }: ListOptions) =>
    runCommand(options, ({ ports, output }) => {
      const pages = listRecords(ports, list.kind, tenant, company);
      const selected = expiring === undefined ? pages : selectExpiring(pages, expiring);
      return output.list({ tenant }, name, selected, toView(list));
    }),
  );
}

type ListOptions = CommonOptions & { readonly company?: string; readonly expiring?: number };

const expiringOption = new Option('--expiring <days>', 'list only active ones that expire within so many days: 30d');
expiringOption.argParser((text) => Number.parseInt(matching(/^\d{1,5}d$/, 'a number of days, such as 30d')(text), 10));

/** Yields only the users or API keys that are active and expire within a number of days. */
export async function* selectExpiring<Entity extends object>(pages: AsyncIterable<readonly Entity[]>, days: number) {
  const limitMs = systemClock.now().getTime() + days * DAY_MS;
  for await (const page of pages) yield page.filter((entity) => Date.parse(findAccessEnd(entity)) <= limitMs);
}

/** Returns the end of the access of an active user or API key. The text is empty if the access does not end. */
function findAccessEnd(entity: object): string {
  if ('valid_until' in entity) {
    const key = entity as DirectoryRecord<'api_key'>;
    return getApiKeyStatus(key) === 'ACTIVE' ? key.valid_until : '';
  }
  const user = entity as DirectoryRecord<'user'>;
  return getUserStatus(user) === 'ACTIVE' ? (user.expires_at ?? '') : '';
}

/** The commands that list the entities of each kind: `list-tenants`, `list-companies` and so on. */
export const listCommands = [
  defineCommand('list-tenants', {
    summary: 'List the tenants with their global tolerances. This reads the whole directory.',
    example: 'list-tenants --local',
  }).action((options) =>
    runCommand(options, ({ ports, output }) => {
      const view = toView({ kind: 'tenant', columns: ['tenant', 'tolerance'] });
      return output.list({}, 'tenants', ports.records.tenants(), view);
    }),
  ),
  defineListCommand('companies', 'List the companies of a tenant, with the time at which a command suspended them.', {
    kind: 'company',
    columns: ['company_id', 'name', 'status', 'stopped_at'],
  }),
  defineListCommand('suppliers', 'List the suppliers of a tenant, with their own tolerances.', {
    kind: 'supplier',
    columns: ['supplier_id', 'name', 'company_id', 'tolerance'],
  }),
  defineListCommand('users', 'List the users of a tenant, with the status of their access.', {
    kind: 'user',
    columns: ['user_id', 'email', 'username', 'company_id', 'supplier_id', 'status', 'expires_at', 'permissions'],
    toAdditions: (user) => ({ status: getUserStatus(user) }),
  }),
  defineListCommand('keys', 'List the API keys of a tenant, with the last 4 characters of each.', {
    kind: 'api_key',
    columns: ['company_id', 'name', 'last4', 'status', 'valid_from', 'valid_until'],
    toAdditions: (key) => ({ status: getApiKeyStatus(key) }),
  }),
];

/** Returns ACTIVE, or the first reason why a user cannot log in. */
export function getUserStatus(
  user: DirectoryRecord<'user'>,
): 'ACTIVE' | 'INACTIVE' | 'NO_LICENSE' | 'EXPIRED' | 'ERASED' {
  const { active, license_active: isLicensed, expires_at: expiresAt, erased_at: erasedAt } = user;
  if (erasedAt !== undefined) return 'ERASED';
  if (!active) return 'INACTIVE';
  if (!isLicensed) return 'NO_LICENSE';
  return expiresAt !== undefined && new Date(expiresAt) <= systemClock.now() ? 'EXPIRED' : 'ACTIVE';
}

/** Returns the status of a key: REVOKED, or EXPIRED if it is active and its validity has ended. */
export function getApiKeyStatus(key: DirectoryRecord<'api_key'>): typeof key.status | 'REVOKED' | 'EXPIRED' {
  const { status, valid_until: validUntil, revoked_at: revokedAt } = key;
  if (revokedAt !== undefined) return 'REVOKED';
  return status === 'ACTIVE' && new Date(validUntil) < systemClock.now() ? 'EXPIRED' : status;
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
          .map((each) => toFileEntry(kind, each as DirectoryRecord<typeof kind>));
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
