import { createInterface } from 'node:readline';
import { readAnswers } from '../../../lib/terminal/read-answers.ts';
import { OperatorError } from '../operator-errors.ts';
import type { HostProcess } from '../output/output.ts';

/** Reads a new password. Returns null if the operator cancels the input. Throws an OperatorError for unusable input. */
export async function readPassword(host: HostProcess): Promise<string | null> {
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
