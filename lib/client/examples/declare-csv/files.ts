import { open, readFile, stat, writeFile } from 'node:fs/promises';
import type { Text } from '../../../domain/language.ts';
import { fileTexts } from './file-texts.ts';
import { UsageError } from './program.ts';
import { runTexts } from './run-texts.ts';

/** The bytes of a file; throws a UsageError when it cannot be read. */
export async function readInput(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error: unknown) => {
    throw new UsageError(fileTexts.cannotRead(file, reasonOf(error)));
  });
}

/** Makes sure, before anything is sent, that a report can be written and is not the input; throws a UsageError. */
export async function checkReportFile(report: string, input: string): Promise<void> {
  const handle = await open(report, 'a').catch((error: unknown) => {
    throw new UsageError(runTexts.cannotWrite(report, reasonOf(error)));
  });
  const [ofReport, ofInput] = await Promise.all([handle.stat(), stat(input)]);
  await handle.close();
  if (ofReport.dev === ofInput.dev && ofReport.ino === ofInput.ino) {
    throw new UsageError(runTexts.cannotWrite(report, runTexts.isInput));
  }
}

/** Writes the report; gives why it cannot be written, in one line, or null. */
export async function writeReport(report: string, text: string): Promise<Text | null> {
  const reason = await writeFile(report, text).catch(reasonOf);
  return reason ? runTexts.cannotWrite(report, reason) : null;
}

/** The common ones in words of our own; any other as the system says it. */
function reasonOf(error: unknown): Text {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, Text>> = runTexts.systemErrors;
  return known[code] ?? { en: message, es: message };
}
