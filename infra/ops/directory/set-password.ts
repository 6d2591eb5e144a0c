import { createInterface } from 'node:readline';
import type { FileValue } from '../../../lib/domain/directory-fields.ts';
import { readAnswers } from '../../../lib/terminal/read-answers.ts';
import { defineCommand, dryRunOption, runCommand, type Session } from '../command.ts';
import { EXIT, type ExitCode, OperatorError } from '../operator-errors.ts';
import type { HostProcess } from '../output/output.ts';
import { changeDirectory } from './change-directory.ts';
import { toFileEntry } from './entry-fields.ts';
import { planEntry } from './plan-entry.ts';
import { printResult } from './print-result.ts';
import { getUser } from './read-directory.ts';

export const setPasswordCommand = defineCommand('set-password', {
  summary: 'Set the password of a user, from a prompt or from the first line of standard input.',
  example: 'set-password demo.example ana --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<user>', 'the id (only digits), e-mail or username of the user')
  .addOption(dryRunOption)
  .action((tenant, userName, options) => runCommand(options, (session) => setPassword(session, tenant, userName)));

/** Sets a new password, which also ends the sessions of the user. */
async function setPassword(session: Session, tenant: string, userName: string): Promise<ExitCode> {
  const { records, demoPassword } = session.ports;
  const password = await readPassword(session.host);
  if (password === null) return EXIT.interrupted;
  const result = await changeDirectory(records, async (directory) => {
    const { user } = await getUser(directory, tenant, userName);
    // The user becomes an entry of a file, so that the rules of `apply` check the new password.
    const value = { ...toFileEntry('user', user), password } as FileValue<'user'>;
    return planEntry({ kind: 'user', path: 'user', tenant, value }, directory, demoPassword);
  });
  printResult(session, result);
  return EXIT.done;
}

/** Reads a new password. Returns null if the operator cancels the input. Throws an OperatorError for unusable input. */
async function readPassword(host: HostProcess): Promise<string | null> {
  const questions = ['New password:', 'Repeat the password:'];
  const answers = host.stdin.isTTY
    ? await readAnswers(questions, host, { isSecret: true })
    : [await readFirstLine(host.stdin)];
  if (answers === null) return null;
  const [password = '', repeatedPassword = password] = answers;
  if (password === '') throw new OperatorError('The password must not be empty.');
  if (repeatedPassword !== password) throw new OperatorError('The two passwords differ.');
  return password;
}

async function readFirstLine(stdin: NodeJS.ReadStream): Promise<string> {
  try {
    for await (const line of createInterface({ input: stdin })) return line;
    return '';
  } finally {
    // The process does not wait for the rest of the input.
    stdin.destroy();
  }
}
