import { OperatorError } from '../../lib/admin/operator-error.ts';
import { ask } from './ask.ts';
import type { HostProcess } from './host-process.ts';
import { printable } from '../printable.ts';

/** The answer to a question was not yes. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

/**
 * Asks on the terminal whether to do what cannot be undone; throws NotConfirmed unless the answer is yes, and an
 * OperatorError where nobody can be asked. A question that is null needs no answer: nothing would be done.
 */
export async function confirm(host: HostProcess, makeQuestion: () => Promise<string | null>): Promise<void> {
  if (!host.stdin.isTTY || !host.stderr.isTTY) {
    throw new OperatorError('Nothing was done: here nobody can be asked. If you are sure, say --yes.');
  }
  const question = await makeQuestion();
  if (question === null) return;
  const answer = await ask(`${printable(question)} [y/N]`, host, { silent: false });
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new NotConfirmed('Nothing was done.');
}
