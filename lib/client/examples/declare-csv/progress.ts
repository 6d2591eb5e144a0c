import { Presets, SingleBar } from 'cli-progress';
import type { Language } from '../../../domain/language.ts';
import { runTexts } from './run-texts.ts';

/** What takes long. */
export type Step = keyof typeof runTexts.steps;

/** Shows how far a step is, and why it stands still; one step at a time. */
export interface Progress {
  begin(step: Step, total: number): void;
  advance(count: number): void;
  /** Time passes: at a limit of the service, or because it fails. */
  waiting(seconds: number): void;
  end(): void;
}

const PLAIN_LINE_MS = 30_000;

/** A bar on a terminal, a plain line every half minute elsewhere. */
export function showProgress(stream: NodeJS.WriteStream, language: Language): Progress {
  let bar: SingleBar | undefined;
  const end = () => {
    bar?.update({ note: '' });
    bar?.stop();
    bar = undefined;
  };
  return {
    begin(step, total) {
      end();
      const format = `${runTexts.steps[step][language]} ${stream.isTTY ? '{bar} ' : ''}{value} ${runTexts.of[language]} {total}{note}`;
      const options = { stream, format, noTTYOutput: true, notTTYSchedule: PLAIN_LINE_MS, gracefulExit: false };
      bar = new SingleBar(options, Presets.shades_classic);
      bar.start(total, 0, { note: '' });
    },
    advance: (count) => bar?.increment(count, { note: '' }),
    waiting: (seconds) => bar?.update({ note: runTexts.waiting(Math.ceil(seconds))[language] }),
    end,
  };
}
