import { createInterface } from 'node:readline';
import type { Language, Text } from '../domain/language.ts';

/** The streams of prompts on a terminal. Standard output is only for results. */
interface PromptStreams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
}

const YES_OR_NO: Text = { en: '[y/N]', es: '[s/N]' };

/** Asks a question on a terminal. Returns true if the user answers yes; every other answer, also Ctrl-C, is no. */
export async function askYesOrNo(question: string, streams: PromptStreams, language: Language): Promise<boolean> {
  const answers = await readAnswers([`${question} ${YES_OR_NO[language]}`], streams, { isSecret: false });
  return /^\s*(?:y|yes|s|si|sí)\s*$/i.test(answers?.[0] ?? '');
}

/**
 * Asks questions on a terminal, and returns the answers; null after Ctrl-C or Ctrl-D. One reader reads all answers,
 * because they may be pasted at once. A secret is not shown while it is typed.
 */
export async function readAnswers(
  questions: readonly string[],
  { stdin, stderr }: PromptStreams,
  { isSecret }: { readonly isSecret: boolean },
): Promise<string[] | null> {
  if (questions.length === 0) return [];
  // Without an output, the reader shows no input.
  const output = isSecret ? {} : { output: stderr };
  const reader = createInterface({ input: stdin, ...output, terminal: true, historySize: 0 });
  const typedLines = reader[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const question of questions) {
      // The reader repeats its prompt when it draws the line again.
      reader.setPrompt(`${question} `);
      if (isSecret) stderr.write(reader.getPrompt());
      else reader.prompt();
      const { value, done = false } = await typedLines.next();
      if (isSecret || done) stderr.write('\n');
      if (done) return null;
      answers.push(value as string);
    }
    return answers;
  } finally {
    reader.close();
  }
}
