import type { Target } from './operator-record.ts';
import { translate } from './texts/language.ts';
import { opsTexts } from './texts/ops-texts.ts';

/**
 * Creates the check before the first write of a command: it prints where a deployed stack is and, in a stage that keeps
 * its data, asks. `ask` throws an error unless the user agrees; it is null with --yes. `print` prints a line on standard
 * error.
 */
export function createWriteGate(
  { place, keepsData }: Pick<Target, 'place' | 'keepsData'>,
  { ask, print }: { ask: ((question: string) => Promise<void>) | null; print: (line: string) => void },
) {
  let announcement: Promise<void> | undefined;
  let opening: Promise<void> | undefined;

  async function printPlace(): Promise<void> {
    if (place) print(await place());
  }
  const announce = () => (announcement ??= printPlace());

  async function announceAndAsk(): Promise<void> {
    await announce();
    if (keepsData) await ask?.(translate(opsTexts.writeToStack));
  }

  return {
    /** Prints once where the command writes. */
    announce,
    /** Prints where the command writes, and asks, both once. */
    open: () => (opening ??= announceAndAsk()),
    /** Opens the gate after the user has agreed to a question of the command itself. */
    confirm: () => void (opening = Promise.resolve()),
  };
}
