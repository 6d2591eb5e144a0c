import { stringify } from 'yaml';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { keysIn } from '../tables/record-keys.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { printableJson } from '../../../lib/runtime/printable.ts';
import { defineCommand, formatCount, runCommand } from '../command.ts';
import { outOption } from '../out-file.ts';
import { LISTS } from './read-entries.ts';
import { toFileValue } from './entry-values.ts';
import { listApiKeys, type ListedApiKey } from './read-directory.ts';
import { DirectorySnapshot } from './snapshot.ts';

const HEADING = `# A file for apply. It contains no passwords: set them with set-password. It contains no API keys: if no key has the
# name, apply generates one and shows it once. It contains no player ids: each device registers its own at a login.
`;

// Every text is quoted and on one line, so that neither YAML nor a terminal interprets its contents.
const STYLE = {
  defaultStringType: 'QUOTE_DOUBLE',
  defaultKeyType: 'PLAIN',
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  lineWidth: 0,
} as const;

/** `export`: prints a tenant as a file for `apply`. */
export const exportCommand = defineCommand('export', {
  summary: 'Print a tenant as a file for apply (YAML, or JSON with --json), without passwords and keys.',
  example: 'export demo.example --local',
})
  .argument('<tenant>', 'the tenant')
  .addOption(outOption)
  .action((tenant, options) =>
    runCommand(options, async ({ ports, output }) => {
      const { entry, leftOut } = await exportTenant(ports, tenant);
      const file = { tenants: [entry] };
      if (options.json) output.document(file);
      else output.write(HEADING + printableJson(stringify(file, STYLE)));
      await output.complete();
      output.note('Left out: passwords, the texts of API keys, and player ids, which logins register.');
      if (leftOut > 0) {
        output.note(`Left out: ${formatCount(leftOut, 'API key')}, revoked or with a newer one of the same name.`);
      }
    }),
  );

/**
 * Returns a tenant in the format of a file of `apply`, without passwords and keys; `leftOut` is the number of keys that
 * a file cannot identify: revoked keys, and keys whose name a later key has. Throws an OperatorError if the tenant does
 * not exist.
 */
async function exportTenant(ports: AdminPorts, tenant: string) {
  const directory = new DirectorySnapshot(ports.records);
  const record = await directory.getExisting(keysIn(tenant).tenant);
  const keys = await listApiKeys(ports, tenant);
  const exportedKeys = await findNameableKeys(directory, tenant, keys);
  const entry: Record<string, unknown> = toFileValue('tenant', record);
  for (const [list, kind] of Object.entries(LISTS)) {
    const exported = kind === 'api_key' ? exportedKeys : await collectPages(ports.records.pages(kind, tenant));
    const values = exported.map((each) => toFileValue(kind, each as DirectoryRecord<typeof kind>));
    if (values.length > 0) entry[list] = values;
  }
  return { entry, leftOut: keys.length - exportedKeys.length };
}

/** Finds the keys that their company and name identify in a file. */
async function findNameableKeys(directory: DirectorySnapshot, tenant: string, keys: readonly ListedApiKey[]) {
  const unrevoked = keys.filter(({ revoked_at: revokedAt }) => revokedAt === undefined);
  const pointers = await Promise.all(
    unrevoked.map(({ company_id: id, name }) => directory.get(keysIn(tenant).apiKeyName(id, name))),
  );
  return unrevoked.filter((key, index) => pointers[index]?.key_hash === key.key_hash);
}
