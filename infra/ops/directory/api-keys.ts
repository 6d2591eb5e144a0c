import { rmSync, writeFileSync } from 'node:fs';
import { hashApiKey, isUsableKey } from '../../../lib/access/access-rules.ts';
import { API_KEY_SCOPE, toEntity } from '../../../lib/domain/directory.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, dryRunOption, EXIT, readSecret, runCommand, type Session, yesOption } from '../command.ts';
import { describeSystemError, OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn, type ListedRecord } from '../tables/directory-records.ts';
import { changeDirectory, ConcurrentModificationError, printChange, printResult } from './change-directory.ts';
import { LAST4_LENGTH, planEntry } from './plan-entry.ts';
import { listRecords } from './read-directory.ts';
import type { EntryOf } from './read-entries.ts';

type ApiKeyEntry = EntryOf<'api_key'>;

export const issueKeyCommand = defineCommand('issue-key', {
  summary: 'Issue an API key for a company, valid for a year. The key is shown once, or written to a file.',
  example: 'issue-key demo.example 100 "Second ERP" --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<company>', 'the id of the company')
  .argument('<name>', 'the name of the key')
  .option('--key-file <file>', 'write the key to this new file, readable only by its owner, and do not print it')
  .addOption(dryRunOption)
  .action((tenant, companyId, name, { keyFile, ...options }) =>
    runCommand(options, async (session) => {
      const key = newUuid();
      const now = systemClock.now();
      const oneYearLater = new Date(now);
      oneYearLater.setUTCFullYear(now.getUTCFullYear() + 1);
      const validity = { valid_from: formatDay(now), valid_until: formatDay(oneYearLater) };
      const value = { key, company_id: companyId, name, scope: API_KEY_SCOPE, status: 'ACTIVE', ...validity } as const;
      const entry: ApiKeyEntry = { kind: 'api_key', path: 'api_key', tenant, value };
      if (keyFile !== undefined) return issueToFile(session, entry, keyFile);
      return printResult(session, { ...(await issueKey(session.ports, entry)), generated_key: key });
    }),
  );

function formatDay(time: Date): string {
  return time.toISOString().slice(0, '2026-08-31'.length);
}

/** Issues an API key; throws an OperatorError if the company has a usable API key with this name. */
function issueKey(ports: AdminPorts, entry: ApiKeyEntry) {
  const { tenant } = entry;
  const { company_id: companyId, name } = entry.value;
  return changeDirectory(ports.records, async (directory) => {
    // Read before the list, so that the write fails if another command issues a key of this name meanwhile.
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

/**
 * Writes a new key to a file before it issues the key, so that no key works whose text is lost. Removes the file if the
 * key was certainly not issued.
 */
async function issueToFile(session: Session, entry: ApiKeyEntry, file: string): Promise<void> {
  const { ports, output, dryRun } = session;
  const key = entry.value.key ?? '';
  const last4 = key.slice(-LAST4_LENGTH);
  createSecretFile(file, key);
  try {
    const shown = printChange(session, await issueKey(ports, entry));
    if (dryRun) rmSync(file);
    else output.line(`The key (…${last4}) is in the file ${file}.`);
    output.document({ ...shown, last4, key_file: file });
  } catch (error) {
    const isNotIssued = dryRun || error instanceof OperatorError || error instanceof ConcurrentModificationError;
    if (isNotIssued) rmSync(file, { force: true });
    else output.note(`Keep the file ${file} until list-keys shows whether the key (…${last4}) was issued.`);
    throw error;
  }
}

/** Creates a file that only its owner can read, with a secret, and waits until it is on the disk. */
function createSecretFile(path: string, secret: string): void {
  try {
    writeFileSync(path, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    // The command has created the file, but the disk is full.
    if ((error as NodeJS.ErrnoException).syscall !== 'open') rmSync(path, { force: true });
    throw new OperatorError(`Nothing was issued: ${describeSystemError(error).en}`, { cause: error });
  }
}

export const revokeKeyCommand = defineCommand('revoke-key', {
  summary: 'Revoke an API key permanently: it is rejected from the next request on.',
  example: 'revoke-key demo.example a003 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument(
    '<key>',
    'the last 4 characters of the key (see list-keys); - reads the whole key from a prompt or standard input',
  )
  .option('--company <company>', 'the company of the key, if several keys match')
  .option('--name <name>', 'the name of the key, if several keys match')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, argument, { company, name, ...options }) =>
    runCommand(options, async (session) => {
      const { ports, host, confirm } = session;
      const text = await readKeyText(argument, host);
      if (text === null) return EXIT.interrupted;

      const keys = await collectPages(listRecords(ports, 'api_key', tenant, company));
      const found = findApiKey(keys, text, name);
      await confirm(async () => {
        if (found.revoked_at !== undefined) return null;
        const subject = `API key "${found.name}" (…${found.last4}) of company ${found.company_id} of ${tenant}`;
        return `Revoke the ${subject}? Programs that use it are rejected immediately. This cannot be undone.`;
      });
      const key = keysIn(tenant).apiKey(found.key_hash);
      const result = await changeDirectory(ports.records, async (directory) => {
        const stored = (await directory.get(key)) ?? found;
        const revokedAt = stored.revoked_at ?? systemClock.now().toISOString();
        return { changes: [await directory.planChange(key, { ...stored, status: 'INACTIVE', revoked_at: revokedAt })] };
      });
      return printResult(session, result);
    }),
  );

/** Reads the last 4 characters of a key or, for -, the whole key. Throws an OperatorError for any other argument. */
async function readKeyText(argument: string, host: Session['host']): Promise<string | null> {
  if (argument === '-') return (await readSecret('API key:', host))?.trim() ?? null;
  if (argument.length === LAST4_LENGTH) return argument;
  // The message does not repeat the argument, because it can be a whole key.
  throw new OperatorError(
    'Pass only the last 4 characters of the key, or pass - and enter the whole key on request. ' +
      'Other users of this machine and the history of the shell can show arguments.',
  );
}

/** Finds the only key with this text or these last 4 characters; throws an OperatorError if none or several match. */
function findApiKey(keys: readonly ListedRecord<'api_key'>[], text: string, name: string | undefined) {
  const isMatch = ({ last4, key_hash: hash }: ListedRecord<'api_key'>) =>
    text.length === LAST4_LENGTH ? last4 === text.toLowerCase() : hash === hashApiKey(text);
  const matches = keys.filter((key) => isMatch(key) && (name === undefined || key.name === name));
  const [only, second] = matches;
  if (!only) throw new OperatorError('The key does not exist. list-keys shows the last 4 characters of each key.');
  if (!second) return only;
  const lines = matches.map((key) => `  "${key.name}" of company ${key.company_id}, valid until ${key.valid_until}`);
  const hint = 'Pass --company C or --name N, or pass - and enter the whole key.';
  throw new OperatorError([`Several keys end in ${only.last4}:`, ...lines, hint].join('\n'));
}
