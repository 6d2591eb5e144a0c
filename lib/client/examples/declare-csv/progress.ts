import { Presets, SingleBar } from 'cli-progress';
import type { Language } from '../../../domain/language.ts';
import { runTexts } from './run-texts.ts';

/** A step that takes long. */
type Step = keyof typeof runTexts.steps;

/** The progress display, which shows one step at a time. */
export type Progress = ReturnType<typeof showProgress>;

const PLAIN_LINE_MS = 30_000;

/** Shows the progress of steps: a bar on a terminal, otherwise a plain line every 30 seconds. */
export function showProgress(stream: NodeJS.WriteStream, language: Language) {
  let bar: SingleBar | undefined;
  const end = () => {
    bar?.update({ note: '' });
    bar?.stop();
    bar = undefined;
  };
  return {
    begin(step: Step, total: number): void {
      end();
      const format = `${runTexts.steps[step][language]} ${stream.isTTY ? '{bar} ' : ''}{value} ${runTexts.of[language]} {total}{note}`;
      const options = { stream, format, noTTYOutput: true, notTTYSchedule: PLAIN_LINE_MS, gracefulExit: false };
      bar = new SingleBar(options, Presets.shades_classic);
      bar.start(total, 0, { note: '' });
    },
    advance: (count: number): void => bar?.increment(count, { note: '' }),
    /** Shows that the client waits, because of a rate limit or before a retry. */
    showWait: (seconds: number): void => bar?.update({ note: runTexts.waiting(Math.ceil(seconds))[language] }),
    end,
  };
}
