import { toPrintable } from '../../lib/runtime/printable.ts';
import { askYesOrNo, readAnswers } from '../../lib/terminal/read-answers.ts';
import { NotConfirmedError, OperatorError } from './operator-errors.ts';
import type { Target } from './operator-record.ts';
import type { HostProcess, Output } from './output/output.ts';
import { getLanguage, translate } from './texts/language.ts';
import { opsTexts } from './texts/ops-texts.ts';

/**
 * Asks for confirmation. Skips a question that is null: nothing would change. The user agrees with y or, if `name` is
 * passed, with this name. Throws an OperatorError without a terminal, and a NotConfirmedError unless the user agrees.
 */
export type Confirm = (makeQuestion: () => Promise<string | null>, name?: string) => Promise<void>;

/** Creates the questions of a command. `isConfirmed`: the command does not ask, because of --yes or --dry-run. */
export function createWriteGate(
  { place, keepsData }: Pick<Target, 'place' | 'keepsData'>,
  { host, output, isConfirmed }: { host: HostProcess; output: Output; isConfirmed: boolean },
) {
  let announcement: Promise<void> | undefined;
  let opening: Promise<void> | undefined;
  const announce = () => (announcement ??= printPlace());

  async function printPlace(): Promise<void> {
    if (place) output.note(await place());
  }

  const confirm: Confirm = async (makeQuestion, name) => {
    if (isConfirmed) return;
    if (!host.stdin.isTTY || !host.stderr.isTTY) throw new OperatorError(translate(opsTexts.noTerminal));
    const question = await makeQuestion();
    if (question === null) return;
    await announce();
    if (!(await askUser(host, toPrintable(question), name))) {
      throw new NotConfirmedError(translate(opsTexts.nothingChanged));
    }
    opening = Promise.resolve();
  };

  async function announceAndAsk(): Promise<void> {
    await announce();
    if (keepsData) await confirm(async () => translate(opsTexts.writeToStack));
  }

  return {
    confirm,
    /** Prints where the command writes and, in a stage that keeps its data, asks unless the user has agreed. */
    open: () => (opening ??= announceAndAsk()),
  };
}

/** Asks a question on the terminal. Returns true if the user agrees. */
async function askUser(host: HostProcess, question: string, name: string | undefined): Promise<boolean> {
  if (name === undefined) return askYesOrNo(question, host, getLanguage());
  const answers = await readAnswers([`${question} To confirm, type ${name}:`], host, { isSecret: false });
  return answers?.[0]?.trim() === name;
}
