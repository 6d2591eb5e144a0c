import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { read } from 'read';
import { printError } from '../terminal.ts';
import type { HostProcess } from './host-process.ts';

/** What is typed on the terminal as an answer; null after Ctrl-C, or at the end of input (Ctrl-D). */
export async function ask(
  prompt: string,
  { stdin, stderr }: HostProcess,
  { silent }: { readonly silent: boolean },
): Promise<string | null> {
  // Standard output is for results; `terminal` keeps what is typed unseen even when standard error is a file.
  const typed = read({ prompt, silent, input: stdin, output: stderr, terminal: true }).catch(() => null);
  // At the end of input the prompt stops listening and never answers.
  const ended = once(stdin, 'pause').then(() => nextTurn(null));
  const answer = await Promise.race([typed, ended]);
  if (silent || answer === null) printError('', stderr);
  return answer;
}
