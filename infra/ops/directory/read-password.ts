import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { read } from 'read';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { printError } from '../../terminal.ts';

/**
 * A password: typed twice, unseen, on a terminal (null: given up), else the first line of standard input; throws a
 * OperatorError when it is empty.
 */
export async function readPassword(): Promise<string | null> {
  const password = process.stdin.isTTY ? await askTwice() : await firstLine(process.stdin);
  if (password === '') throw new OperatorError('The password is empty.');
  return password;
}

async function askTwice(): Promise<string | null> {
  const password = await ask('New password:');
  if (!password) return password;
  const again = await ask('The same again:');
  if (again !== null && again !== password) throw new OperatorError('The two passwords differ.');
  return again;
}

async function ask(prompt: string): Promise<string | null> {
  // Standard output is for results; `terminal` keeps what is typed unseen even when standard error is a file.
  const typed = read({ prompt, silent: true, output: process.stderr, terminal: true }).catch(() => null);
  // At the end of input (Ctrl-D) the prompt stops listening and never answers.
  const ended = once(process.stdin, 'pause').then(() => nextTurn(null));
  const answer = await Promise.race([typed, ended]);
  printError('');
  return answer;
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  try {
    for await (const line of createInterface({ input })) return line;
    return '';
  } finally {
    input.destroy();
  }
}
