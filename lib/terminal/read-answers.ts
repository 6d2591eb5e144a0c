import { createInterface } from 'node:readline';
import type { Language } from '../domain/language.ts';

/** The streams of prompts on a terminal. Standard output is only for results. */
interface PromptStreams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Asks a question on a terminal. Returns true if the user answers yes. Every other input, including Ctrl-C, counts as no. */
export async function askYesOrNo(question: string, streams: PromptStreams, language: Language): Promise<boolean> {
  const hint = language === 'es' ? '[s/N]' : '[y/N]';
  const answers = await readAnswers([`${question} ${hint}`], streams, { isSecret: false });
  return /^\s*(?:y|yes|s|si|sí)\s*$/i.test(answers?.[0] ?? '');
}

/**
 * Asks questions on a terminal, and returns the answers, or null after Ctrl-C or Ctrl-D. One reader reads all answers,
 * because they can be pasted at once. A secret is not shown while it is typed.
 */
export async function readAnswers(
  questions: readonly string[],
  { stdin, stderr }: PromptStreams,
  { isSecret }: { readonly isSecret: boolean },
): Promise<string[] | null> {
  if (questions.length === 0) return [];
  // A reader without an output does not show the input.
  const streams = isSecret ? { input: stdin } : { input: stdin, output: stderr };
  const reader = createInterface({ ...streams, terminal: true, historySize: 0 });
  const typedLines = reader[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const question of questions) {
      // The question is the prompt of the reader, which draws it again when the user edits the typed line.
      reader.setPrompt(`${question} `);
      if (isSecret) stderr.write(reader.getPrompt());
      else reader.prompt();
      const line = await typedLines.next();
      // After a secret, Ctrl-C or Ctrl-D, the cursor of the terminal is still in the line of the prompt.
      if (isSecret || line.done) stderr.write('\n');
      if (line.done) return null;
      answers.push(line.value);
    }
    return answers;
  } finally {
    reader.close();
  }
}
