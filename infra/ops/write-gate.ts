import { toPrintable } from '../../lib/runtime/printable.ts';
import { askYesOrNo, readAnswers } from '../../lib/terminal/read-answers.ts';
import { NotConfirmedError, OperatorError } from './operator-errors.ts';
import type { HostProcess, Output } from './output/output.ts';
import type { Target } from './targets/target.ts';
import { getLanguage, translate } from './texts/language.ts';
import { opsTexts } from './texts/ops-texts.ts';

/**
 * Asks for confirmation before a change. If nothing would change, `makeQuestion` returns null, and nothing is asked. The
 * user agrees with y or, if `name` is passed, with this name. Throws an OperatorError without a terminal, and a
 * NotConfirmedError unless the user agrees.
 */
export type Confirm = (makeQuestion: () => Promise<string | null>, name?: string) => Promise<void>;

/** Creates the gate that opens once, before the first write of a command. If `isConfirmed` is true, it asks nothing. */
export function createWriteGate(
  { describeTarget, keepsData }: Pick<Target, 'describeTarget' | 'keepsData'>,
  { host, output, isConfirmed }: { host: HostProcess; output: Output; isConfirmed: boolean },
) {
  let opening: Promise<void> | undefined;

  const confirm: Confirm = async (makeQuestion, name) => {
    if (isConfirmed) return;
    requireTerminal(host);
    const question = await makeQuestion();
    if (question === null) return;
    await printTarget();
    await requireAgreement(host, question, name);
    // The user has agreed to all writes of the command.
    opening = Promise.resolve();
  };

  function open(): Promise<void> {
    opening ??= announceAndAsk();
    return opening;
  }

  /** Prints where the command writes and, in a stage that keeps its data, asks unless the user has agreed. */
  async function announceAndAsk(): Promise<void> {
    await printTarget();
    if (keepsData && !isConfirmed) await requireAgreement(host, translate(opsTexts.writeToStack));
  }

  async function printTarget(): Promise<void> {
    if (describeTarget) output.note(await describeTarget());
  }

  return { confirm, open };
}

function requireTerminal({ stdin, stderr }: HostProcess): void {
  if (!stdin.isTTY || !stderr.isTTY) throw new OperatorError(translate(opsTexts.noTerminal));
}

async function requireAgreement(host: HostProcess, question: string, name?: string): Promise<void> {
  requireTerminal(host);
  if (await hasAgreed(host, toPrintable(question), name)) return;
  throw new NotConfirmedError(translate(opsTexts.nothingChanged));
}

async function hasAgreed(host: HostProcess, question: string, name: string | undefined): Promise<boolean> {
  if (name === undefined) return askYesOrNo(question, host, getLanguage());
  const answers = await readAnswers([`${question} To confirm, type ${name}:`], host, { isSecret: false });
  return answers?.[0]?.trim() === name;
}
