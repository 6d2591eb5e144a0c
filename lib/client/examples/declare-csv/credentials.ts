import { createInterface } from 'node:readline';
import { UsageError } from './usage-error.ts';

/** What only its owner may know. It is never an option: the list of processes and the shell's history show options. */
export interface Credentials {
  readonly apiKey: string;
  readonly password: string;
}

/** Takes the credentials from the environment, or asks on a terminal (null: given up); else throws a UsageError. */
export async function readCredentials({
  env,
  stdin,
  stderr,
}: Pick<NodeJS.Process, 'env' | 'stdin' | 'stderr'> = process): Promise<Credentials | null> {
  const missing = ['PORTAL_API_KEY', 'PORTAL_PASSWORD'].find((variable) => !env[variable]);
  if (missing && !stdin.isTTY) throw new UsageError(`${missing} is not set, and there is no terminal to ask on.`);
  // One reader for both, because both may be pasted at once. Without an output it shows nothing of what is typed.
  const reader = missing ? createInterface({ input: stdin, terminal: true, historySize: 0 }) : undefined;
  const typed = reader?.[Symbol.asyncIterator]();
  const secret = async (variable: string, prompt: string) => {
    if (env[variable]) return env[variable];
    // Standard output is for results.
    stderr.write(prompt);
    const answer = await typed?.next();
    stderr.write('\n');
    if (answer?.value === '') throw new UsageError(`${variable} is empty.`);
    return answer?.value;
  };
  try {
    const apiKey = await secret('PORTAL_API_KEY', 'API key: ');
    const password = apiKey && (await secret('PORTAL_PASSWORD', 'Password: '));
    return apiKey && password ? { apiKey, password } : null;
  } finally {
    reader?.close();
  }
}
