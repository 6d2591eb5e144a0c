import { open, readFile, stat, writeFile } from 'node:fs/promises';
import type { Text } from '../../../domain/language.ts';
import { runTexts } from './texts/run.ts';
import { fileTexts } from './texts/file.ts';
import { UsageError } from './usage-error.ts';

/** The bytes of a file; throws a UsageError when it cannot be read. */
export async function readInput(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(fileTexts.cannotRead(file, reasonOf(error)));
  }
}

/** Makes sure, before anything is sent, that a report can be written and is not the input; throws a UsageError. */
export async function checkReportFile(report: string, input: string): Promise<void> {
  try {
    await (await open(report, 'a')).close();
  } catch (error) {
    throw new UsageError(runTexts.cannotWrite(report, reasonOf(error)));
  }
  const [ofReport, ofInput] = await Promise.all([stat(report), stat(input)]);
  if (ofReport.dev === ofInput.dev && ofReport.ino === ofInput.ino) {
    throw new UsageError(runTexts.cannotWrite(report, runTexts.isInput));
  }
}

/** Writes the report; gives why it cannot be written, in one line, or null. */
export async function writeReport(report: string, text: string): Promise<Text | null> {
  try {
    await writeFile(report, text);
    return null;
  } catch (error) {
    return runTexts.cannotWrite(report, reasonOf(error));
  }
}

/** The common ones in words of our own; any other as the system says it. */
function reasonOf(error: unknown): Text {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, Text>> = runTexts.systemErrors;
  return known[code] ?? { en: message, es: message };
}
