import { createInterface } from 'node:readline';
import type { Language, Text } from '../../../domain/language.ts';
import { runTexts } from './run-texts.ts';
import { UsageError } from './program.ts';

/** The secrets of the user. They are never options, because the process list and the shell history show options. */
export interface Credentials {
  readonly apiKey: string;
  readonly password: string;
}

/** Reads the credentials from the environment or a terminal (null if the user aborts); else throws a UsageError. */
export async function readCredentials(
  language: Language,
  { env, stdin, stderr }: Pick<NodeJS.Process, 'env' | 'stdin' | 'stderr'> = process,
): Promise<Credentials | null> {
  const missing = ['PORTAL_API_KEY', 'PORTAL_PASSWORD'].find((variable) => !env[variable]);
  if (missing && !stdin.isTTY) throw new UsageError(runTexts.noTerminal(missing));
  // One reader for both prompts, because both values may be pasted at once. Without an output, it shows no input.
  const reader = missing ? createInterface({ input: stdin, terminal: true, historySize: 0 }) : undefined;
  const typed = reader?.[Symbol.asyncIterator]();
  const readSecret = async (variable: string, prompt: Text) => {
    if (env[variable]) return env[variable];
    // Standard output contains only results.
    stderr.write(prompt[language]);
    const entry = await typed?.next();
    stderr.write('\n');
    if (entry?.value === '') throw new UsageError(runTexts.isEmpty(variable));
    return entry?.value;
  };
  try {
    const apiKey = await readSecret('PORTAL_API_KEY', runTexts.apiKeyPrompt);
    const password = apiKey && (await readSecret('PORTAL_PASSWORD', runTexts.passwordPrompt));
    return apiKey && password ? { apiKey, password } : null;
  } finally {
    reader?.close();
  }
}
