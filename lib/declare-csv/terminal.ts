import type { Language } from '../domain/language.ts';
import { TextError } from '../client/spreadsheets/spreadsheet-error.ts';
import type { PortalClientOptions } from '../client/index.ts';
import { startProgress } from '../terminal/progress.ts';
import { readAnswers } from '../terminal/read-answers.ts';
import { runTexts } from './run-texts.ts';

/** The questions for the credentials, by the environment variables that can contain them. */
const PROMPTS = { PORTAL_API_KEY: runTexts.apiKeyPrompt, PORTAL_PASSWORD: runTexts.passwordPrompt };

/**
 * Reads the credentials from the environment, or asks for them on a terminal (null if the user aborts). Throws a
 * TextError without a terminal. The credentials are not options, because the process list and the shell
 * history would show them.
 */
export async function readCredentials(
  language: Language,
  { env, stdin, stderr }: Pick<NodeJS.Process, 'env' | 'stdin' | 'stderr'> = process,
): Promise<Pick<PortalClientOptions, 'apiKey' | 'password'> | null> {
  const missing = Object.entries(PROMPTS).filter(([variable]) => !env[variable]);
  if (missing.length > 0 && !stdin.isTTY) throw new TextError(runTexts.noValue(missing[0]?.[0] ?? ''));
  const questions = missing.map(([, prompt]) => prompt[language]);
  const answers = await readAnswers(questions, { stdin, stderr }, { isSecret: true });
  if (!answers) return null;
  const [apiKey = '', password = ''] = Object.keys(PROMPTS).map((variable) => {
    const value = env[variable] || answers.shift();
    if (!value) throw new TextError(runTexts.noValue(variable));
    return value;
  });
  return { apiKey, password };
}

/** The progress display, which shows one step at a time. */
export type Progress = ReturnType<typeof showProgress>;

const PLAIN_LINE_MS = 30_000;

/** Shows the progress of steps: a bar on a terminal, otherwise a plain line every 30 seconds. */
export function showProgress(stream: NodeJS.WriteStream, language: Language) {
  const format = `{step} ${stream.isTTY ? '{bar} ' : ''}{value} ${runTexts.of[language]} {total}{note}`;
  let bar: ReturnType<typeof startProgress> | undefined;
  const end = (): void => {
    bar?.update({ note: '' });
    bar?.stop();
    bar = undefined;
  };
  return {
    begin(step: keyof typeof runTexts.steps, total: number): void {
      end();
      bar = startProgress(stream, format, total, { step: runTexts.steps[step][language], note: '' }, PLAIN_LINE_MS);
    },
    advance: (count: number): void => bar?.increment(count, { note: '' }),
    /** Shows that the client waits, because of a rate limit or before a retry. */
    showWait(seconds: number): void {
      const note = runTexts.waiting(Math.ceil(seconds))[language];
      if (bar) bar.update({ note });
      else stream.write(`${note.trim()}\n`);
    },
    end,
  };
}
