import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { read } from 'read';
import { NotConfirmedError, OperatorError } from './errors.ts';
import type { HostProcess } from './output.ts';
import { printable } from '../../lib/runtime/printable.ts';
import { printError } from '../terminal.ts';

/**
 * Asks for confirmation on the terminal; throws a NotConfirmedError unless the answer is yes, and an OperatorError
 * without a terminal. A question of null needs no confirmation, because the command would change nothing.
 */
export async function confirm(host: HostProcess, makeQuestion: () => Promise<string | null>): Promise<void> {
  if (!host.stdin.isTTY || !host.stderr.isTTY) {
    throw new OperatorError('Nothing was changed: confirmation needs a terminal. To confirm in a script, pass --yes.');
  }
  const question = await makeQuestion();
  if (question === null) return;
  const answer = await ask(`${printable(question)} [y/N]`, host, { silent: false });
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new NotConfirmedError('Nothing was changed.');
}

/** Reads a secret without echo from the terminal, else the first line of standard input; null if the user gives up. */
export async function readSecret(prompt: string, host: HostProcess): Promise<string | null> {
  if (host.stdin.isTTY) return ask(prompt, host, { silent: true });
  try {
    for await (const line of createInterface({ input: host.stdin })) return line;
    return '';
  } finally {
    host.stdin.destroy();
  }
}

/** Reads an answer from the terminal; null after Ctrl-C or at the end of input (Ctrl-D). */
async function ask(
  prompt: string,
  { stdin, stderr }: HostProcess,
  { silent }: { readonly silent: boolean },
): Promise<string | null> {
  // Standard output is for results. `terminal` hides a secret even if standard error is a file.
  const typed = read({ prompt, silent, input: stdin, output: stderr, terminal: true }).catch(() => null);
  // At the end of input the promise of the prompt never settles.
  const ended = once(stdin, 'pause').then(() => nextTurn(null));
  const answer = await Promise.race([typed, ended]);
  if (silent || answer === null) printError('', stderr);
  return answer;
}
