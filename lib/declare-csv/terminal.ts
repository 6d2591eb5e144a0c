import { createInterface } from 'node:readline';
import { Presets, SingleBar } from 'cli-progress';
import type { Language, Text } from '../domain/language.ts';
import { TextError } from '../client/spreadsheets/spreadsheet-error.ts';
import type { PortalClientOptions } from '../client/index.ts';
import { runTexts } from './run-texts.ts';

/**
 * Reads the credentials from the environment, or asks for them on a terminal (null if the user aborts). Throws a
 * TextError without a terminal. The credentials are not options, because the process list and the shell
 * history would show them.
 */
export async function readCredentials(
  language: Language,
  { env, stdin, stderr }: Pick<NodeJS.Process, 'env' | 'stdin' | 'stderr'> = process,
): Promise<Pick<PortalClientOptions, 'apiKey' | 'password'> | null> {
  const missing = ['PORTAL_API_KEY', 'PORTAL_PASSWORD'].find((variable) => !env[variable]);
  if (missing && !stdin.isTTY) throw new TextError(runTexts.noTerminal(missing));
  // One reader for both prompts, because both values may be pasted at once. Without an output, it echoes no input.
  const reader = missing ? createInterface({ input: stdin, terminal: true, historySize: 0 }) : undefined;
  const typedLines = reader?.[Symbol.asyncIterator]();
  const readSecret = async (variable: string, prompt: Text) => {
    if (env[variable]) return env[variable];
    // Standard output contains only results.
    stderr.write(prompt[language]);
    const typedLine = await typedLines?.next();
    stderr.write('\n');
    if (typedLine?.value === '') throw new TextError(runTexts.isEmpty(variable));
    return typedLine?.value;
  };
  try {
    const apiKey = await readSecret('PORTAL_API_KEY', runTexts.apiKeyPrompt);
    const password = apiKey && (await readSecret('PORTAL_PASSWORD', runTexts.passwordPrompt));
    return apiKey && password ? { apiKey, password } : null;
  } finally {
    reader?.close();
  }
}

/** The progress display, which shows one step at a time. */
export type Progress = ReturnType<typeof showProgress>;

const PLAIN_LINE_MS = 30_000;

/** Shows the progress of steps: a bar on a terminal, otherwise a plain line every 30 seconds. */
export function showProgress(stream: NodeJS.WriteStream, language: Language) {
  const format = `{step} ${stream.isTTY ? '{bar} ' : ''}{value} ${runTexts.of[language]} {total}{note}`;
  const options = { stream, format, noTTYOutput: true, notTTYSchedule: PLAIN_LINE_MS, gracefulExit: false };
  // Only `start` shows the bar; before, and after `stop`, the other methods do nothing.
  const bar = new SingleBar(options, Presets.shades_classic);
  const end = (): void => {
    bar.update({ note: '' });
    bar.stop();
  };
  return {
    begin(step: keyof typeof runTexts.steps, total: number): void {
      end();
      bar.start(total, 0, { step: runTexts.steps[step][language], note: '' });
    },
    advance: (count: number): void => bar.increment(count, { note: '' }),
    /** Shows that the client waits, because of a rate limit or before a retry. */
    showWait: (seconds: number): void => bar.update({ note: runTexts.waiting(Math.ceil(seconds))[language] }),
    end,
  };
}
