import { collectPages } from '../../../lib/runtime/pages.ts';
import { toPrintableJson } from '../../../lib/runtime/printable.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { defineCommand, runCommand, type Session } from '../command.ts';
import { outOption } from '../output/out-file.ts';
import { keysIn, type ListedRecord } from '../tables/directory-records.ts';
import { DirectorySnapshot } from './change-directory.ts';
import { toFileEntry } from './entry-fields.ts';
import { LISTS } from './entry-schemas.ts';
import { formatCount } from '../texts/language.ts';

export const exportCommand = defineCommand('export', {
  summary: 'Print a tenant as a file for apply (JSON), without passwords, keys and player ids.',
  example: 'export demo.example --local',
})
  .argument('<tenant>', 'the tenant')
  .addOption(outOption)
  .action((tenant, options) => runCommand(options, (session) => exportDirectory(session, tenant)));

async function exportDirectory({ ports, output }: Session, tenant: string): Promise<void> {
  const directory = new DirectorySnapshot(ports.records);
  const record = await directory.getExisting(keysIn(tenant).tenant);
  const apiKeys = await collectPages(ports.records.pages('api_key', tenant));
  const nameableKeys = await findNameableKeys(directory, tenant, apiKeys);
  const lists: Record<string, object[]> = {};
  for (const [name, kind] of Object.entries(LISTS)) {
    const records = kind === 'api_key' ? nameableKeys : await collectPages(ports.records.pages(kind, tenant));
    const unerasedRecords = records.filter((each: Attributes) => each['erased_at'] === undefined);
    if (unerasedRecords.length > 0) lists[name] = unerasedRecords.map((each) => toFileEntry(kind, each));
  }
  const file = { tenants: [{ ...toFileEntry('tenant', record), ...lists }] };
  output.write(toPrintableJson(`${JSON.stringify(file, null, 2)}\n`));
  await output.complete();
  const omittedCount = apiKeys.length - nameableKeys.length;
  if (omittedCount === 0) return;
  output.note(
    `Left out: ${formatCount(omittedCount, 'API key', 'API keys')}, revoked or with a newer one of the same name.`,
  );
}

/** Finds the keys that a file can identify by company and name, which are the latest of their name and not revoked. */
async function findNameableKeys(directory: DirectorySnapshot, tenant: string, keys: ListedRecord<'api_key'>[]) {
  const unrevoked = keys.filter(({ revoked_at: revokedAt }) => revokedAt === undefined);
  const pointers = await Promise.all(
    unrevoked.map(({ company_id: id, name }) => directory.get(keysIn(tenant).apiKeyName(id, name))),
  );
  return unrevoked.filter((key, index) => pointers[index]?.key_hash === key.key_hash);
}
