import { isUsableKey } from '../../../lib/access/access-rules.ts';
import { formatDay } from '../../../lib/domain/date-range.ts';
import { API_KEY_SCOPE, toEntity } from '../../../lib/domain/directory.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, dryRunOption, runCommand, yesOption } from '../command.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn, type ListedRecord } from '../tables/directory-records.ts';
import { changeDirectory } from './change-directory.ts';
import type { ChangeResult } from './change-result.ts';
import { LAST4_LENGTH } from './plan-api-key.ts';
import { planEntry } from './plan-entry.ts';
import { printResult } from './print-result.ts';
import { listRecords } from './read-directory.ts';
import type { EntryOf } from './read-entries.ts';

export const issueKeyCommand = defineCommand('issue-key', {
  summary: 'Issue an API key for a company, valid for a year. The key is shown once.',
  example: 'issue-key demo.example 100 "Second ERP" --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<company>', 'the id of the company')
  .argument('<name>', 'the name of the key')
  .addOption(dryRunOption)
  .action((tenant, companyId, name, options) =>
    runCommand(options, async (session) => {
      const key = newUuid();
      const value = buildKeyValue(key, companyId, name);
      const result = await issueKey(session.ports, { kind: 'api_key', path: 'api_key', tenant, value });
      printResult(session, { ...result, generated_key: key });
    }),
  );

function buildKeyValue(key: string, companyId: string, name: string): EntryOf<'api_key'>['value'] {
  const now = systemClock.now();
  const oneYearLater = new Date(now);
  oneYearLater.setUTCFullYear(now.getUTCFullYear() + 1);
  const validity = { valid_from: formatDay(now.getTime()), valid_until: formatDay(oneYearLater.getTime()) };
  return { key, company_id: companyId, name, scope: API_KEY_SCOPE, status: 'ACTIVE', ...validity };
}

/** Issues an API key. Throws an OperatorError if the company has a usable API key with this name. */
function issueKey(ports: AdminPorts, entry: EntryOf<'api_key'>): Promise<ChangeResult> {
  const { tenant } = entry;
  const { company_id: companyId, name } = entry.value;
  return changeDirectory(ports.records, async (directory) => {
    // Reads the pointer before the list, so that the write fails if another command issues a key of this name meanwhile.
    await directory.get(keysIn(tenant).apiKeyName(companyId, name));
    const companyKeys = await collectPages(listRecords(ports, 'api_key', tenant, companyId));
    const usableKey = companyKeys.find(
      (each) => each.name === name && isUsableKey(toEntity.api_key(each), tenant, systemClock.now()),
    );
    if (!usableKey) return planEntry(entry, directory);
    const error = `Company ${companyId} already has an active key "${name}" (…${usableKey.last4}).`;
    throw new OperatorError(`${error} Revoke it first, or use another name.`);
  });
}

export const revokeKeyCommand = defineCommand('revoke-key', {
  summary: 'Revoke an API key permanently: it is rejected from the next request on.',
  example: 'revoke-key demo.example a003 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<key>', 'the last 4 characters of the key (see list-keys)')
  .option('--company <company>', 'the company of the key, if several keys match')
  .option('--name <name>', 'the name of the key, if several keys match')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, last4, { company, name, ...options }) =>
    runCommand(options, async (session) => {
      const keys = await collectPages(listRecords(session.ports, 'api_key', tenant, company));
      const apiKey = requireOneKey(keys, last4, name);
      await session.confirm(async () => {
        if (apiKey.revoked_at !== undefined) return null;
        const subject = `API key "${apiKey.name}" (…${apiKey.last4}) of company ${apiKey.company_id} of ${tenant}`;
        return `Revoke the ${subject}? Programs that use it are rejected immediately. This cannot be undone.`;
      });
      printResult(session, await revokeKey(session.ports, tenant, apiKey));
    }),
  );

/** Returns the only key with these last 4 characters. Throws an OperatorError if no key or several keys match. */
function requireOneKey(keys: readonly ListedRecord<'api_key'>[], last4: string, name: string | undefined) {
  // The message does not repeat the argument, because it can be a whole key.
  if (last4.length !== LAST4_LENGTH) throw new OperatorError('Pass only the last 4 characters of the key.');
  const matches = keys.filter((key) => key.last4 === last4.toLowerCase() && (name === undefined || key.name === name));
  const [only, second] = matches;
  if (!only) throw new OperatorError('The key does not exist. list-keys shows the last 4 characters of each key.');
  if (!second) return only;
  const lines = matches.map((key) => `  "${key.name}" of company ${key.company_id}, valid until ${key.valid_until}`);
  throw new OperatorError([`Several keys end in ${only.last4}:`, ...lines, 'Pass --company C or --name N.'].join('\n'));
}

/** Revokes an API key. A key that is already revoked keeps the time of its revocation. */
function revokeKey({ records }: AdminPorts, tenant: string, apiKey: ListedRecord<'api_key'>): Promise<ChangeResult> {
  const key = keysIn(tenant).apiKey(apiKey.key_hash);
  return changeDirectory(records, async (directory) => {
    const stored = (await directory.get(key)) ?? apiKey;
    const revokedAt = stored.revoked_at ?? systemClock.now().toISOString();
    const entity = await directory.planChange(key, { ...stored, status: 'INACTIVE', revoked_at: revokedAt });
    return { entity, relatedChanges: [] };
  });
}
