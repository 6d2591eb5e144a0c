import { createInterface } from 'node:readline';
import type { Language, Text } from '../../../domain/language.ts';
import { runTexts } from './run-texts.ts';
import { UsageError } from './program.ts';

/** What only its owner may know. It is never an option: the list of processes and the shell's history show options. */
export interface Credentials {
  readonly apiKey: string;
  readonly password: string;
}

/** Takes the credentials from the environment, or asks on a terminal (null: given up); else throws a UsageError. */
export async function readCredentials(
  language: Language,
  { env, stdin, stderr }: Pick<NodeJS.Process, 'env' | 'stdin' | 'stderr'> = process,
): Promise<Credentials | null> {
  const missing = ['PORTAL_API_KEY', 'PORTAL_PASSWORD'].find((variable) => !env[variable]);
  if (missing && !stdin.isTTY) throw new UsageError(runTexts.noTerminal(missing));
  // One reader for both, because both may be pasted at once. Without an output it shows nothing of what is typed.
  const reader = missing ? createInterface({ input: stdin, terminal: true, historySize: 0 }) : undefined;
  const typed = reader?.[Symbol.asyncIterator]();
  const secret = async (variable: string, prompt: Text) => {
    if (env[variable]) return env[variable];
    // Standard output is for results.
    stderr.write(prompt[language]);
    const answer = await typed?.next();
    stderr.write('\n');
    if (answer?.value === '') throw new UsageError(runTexts.isEmpty(variable));
    return answer?.value;
  };
  try {
    const apiKey = await secret('PORTAL_API_KEY', runTexts.apiKeyPrompt);
    const password = apiKey && (await secret('PORTAL_PASSWORD', runTexts.passwordPrompt));
    return apiKey && password ? { apiKey, password } : null;
  } finally {
    reader?.close();
  }
}
