import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { read } from 'read';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { printError } from '../../terminal.ts';
import type { HostProcess } from '../host-process.ts';

/**
 * A password: typed twice, unseen, on a terminal (null: given up), else the first line of standard input; throws an
 * OperatorError when it is empty.
 */
export async function readPassword(host: HostProcess): Promise<string | null> {
  const password = host.stdin.isTTY ? await askTwice(host) : await firstLine(host.stdin);
  if (password === '') throw new OperatorError('The password is empty.');
  return password;
}

async function askTwice(host: HostProcess): Promise<string | null> {
  const password = await ask('New password:', host);
  if (!password) return password;
  const again = await ask('The same again:', host);
  if (again !== null && again !== password) throw new OperatorError('The two passwords differ.');
  return again;
}

async function ask(prompt: string, { stdin, stderr }: HostProcess): Promise<string | null> {
  // Standard output is for results; `terminal` keeps what is typed unseen even when standard error is a file.
  const typed = read({ prompt, silent: true, input: stdin, output: stderr, terminal: true }).catch(() => null);
  // At the end of input (Ctrl-D) the prompt stops listening and never answers.
  const ended = once(stdin, 'pause').then(() => nextTurn(null));
  const answer = await Promise.race([typed, ended]);
  printError('', stderr);
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
