import { rmSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { findApiKey, issueKey, LAST_FOUR, type NewApiKey, revokeKey } from './issue-api-keys.ts';
import { ConcurrentModificationError } from './change-directory.ts';
import { OperatorError } from '../operator-error.ts';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import { defineCommand, dryRunOption, EXIT, type ExitCode, runCommand, type Session, yesOption } from '../command.ts';
import { readSecret } from '../confirm.ts';
import type { HostProcess } from '../host-process.ts';
import { describeSystemError, OutputError } from '../output-error.ts';
import { printResult, toLines } from './result-texts.ts';

/** `issue-key`: issues an API key, and shows it once or writes it to a file. */
export const issueKeyCommand = defineCommand('issue-key', {
  summary: 'Issue an API key for a company. The key is shown once, or written to a file.',
  example: 'issue-key demo.example 100 "Second ERP" --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<company>', 'the id of the company')
  .argument('<name>', 'the name of the key')
  .option('--valid-from <date>', 'the first day or instant of its validity (default: today)', readDate)
  .option('--valid-until <date>', 'the last day or instant of its validity (default: one year later)', readDate)
  .option('--key-file <file>', 'write the key to this new file, readable only by its owner, and do not print it')
  .addOption(dryRunOption)
  .action((tenant, companyId, name, { validFrom, validUntil, keyFile, ...options }) =>
    runCommand(options, async (session) => {
      const newKey = { tenant, companyId, name, validFrom, validUntil };
      if (keyFile !== undefined) return issueToFile(session, newKey, keyFile);
      const result = await issueKey(session.ports, newKey);
      return printResult(session.output, session.dryRun ? { ...result, generated_key: undefined } : result);
    }),
  );

/**
 * Writes a new key to a file, and only then issues it, so that no key works that nobody has. The file is removed if the
 * key was certainly not issued.
 */
async function issueToFile({ ports, output, dryRun }: Session, newKey: NewApiKey, file: string): Promise<ExitCode> {
  const key = newUuid();
  const last4 = key.slice(-LAST_FOUR);
  createSecretFile(file, key);
  try {
    const result = { ...(await issueKey(ports, newKey, key)), generated_key: undefined };
    for (const line of toLines(result)) output.line(line);
    if (!dryRun) output.line(`The key (…${last4}) is in the file ${file}.`);
    output.document({ ...result, ...(!dryRun && { last4, key_file: file }) });
    if (dryRun) rmSync(file, { force: true });
    return EXIT.done;
  } catch (error) {
    if (dryRun || error instanceof OperatorError || error instanceof ConcurrentModificationError)
      rmSync(file, { force: true });
    else output.note(`Keep the file ${file} until list-keys shows whether the key (…${last4}) was issued.`);
    throw error;
  }
}

/**
 * Creates a file that only its owner can read, with a secret, and waits until it is on the disk. Throws an
 * OperatorError if the path exists or is unusable, and an OutputError if the secret cannot be written.
 */
function createSecretFile(path: string, secret: string): void {
  try {
    writeFileSync(path, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const message = `Nothing was issued: ${describeSystemError(error)}`;
    if ((error as NodeJS.ErrnoException).syscall === 'open') throw new OperatorError(message, { cause: error });
    rmSync(path, { force: true });
    throw new OutputError(message, { cause: error });
  }
}

/** `revoke-key`: revokes an API key permanently. */
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
  .action((tenant, text, { company, name, ...options }) =>
    runCommand(options, async ({ ports, output, host, confirm }) => {
      const key = await readKey(text, host);
      if (key === null) return EXIT.interrupted;
      const found = await findApiKey(ports, tenant, key, { company, name });
      await confirm(async () => {
        if (found.revoked_at !== undefined) return null;
        const named = `API key "${found.name}" (…${found.last4}) of company ${found.company_id} of ${tenant}`;
        return `Revoke the ${named}? Programs that use it are rejected immediately. This cannot be undone.`;
      });
      return printResult(output, await revokeKey(ports, tenant, found.key_hash), 'The key is already revoked.');
    }),
  );

/** Reads the end of a key, or for - the whole key; throws an OperatorError, without the text, for any other argument. */
async function readKey(text: string, host: HostProcess): Promise<string | null> {
  if (text === '-') return (await readSecret('API key:', host))?.trim() ?? null;
  if (text.length === LAST_FOUR) return text;
  const reason = 'Other users of this machine and the history of the shell can show arguments.';
  throw new OperatorError(
    `Pass only the last 4 characters of the key, or pass - and enter the whole key on request. ${reason}`,
  );
}

function readDate(text: string): string {
  if (isIsoDate(text)) return text;
  throw new InvalidArgumentError('It must be an ISO 8601 date or date-time.');
}
