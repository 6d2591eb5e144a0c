import { open, readFile, stat, writeFile } from 'node:fs/promises';
import type { Text } from '../../../domain/language.ts';
import { fileTexts, runTexts } from './run-texts.ts';
import { UsageError } from './program.ts';

/** Reads the bytes of a file; throws a UsageError if it cannot be read. */
export async function readInput(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error: unknown) => {
    throw new UsageError(fileTexts.cannotRead(file, reasonOf(error)));
  });
}

/** Throws a UsageError if the report cannot be written or is the input file. */
export async function checkReportFile(report: string, input: string): Promise<void> {
  const handle = await open(report, 'a').catch((error: unknown) => {
    throw new UsageError(runTexts.cannotWrite(report, reasonOf(error)));
  });
  const [reportStat, inputStat] = await Promise.all([handle.stat(), stat(input)]);
  await handle.close();
  if (reportStat.dev === inputStat.dev && reportStat.ino === inputStat.ino) {
    throw new UsageError(runTexts.cannotWrite(report, runTexts.isInputFile));
  }
}

/** Writes the report; returns null, or a line that explains why it cannot be written. */
export async function writeReport(report: string, text: string): Promise<Text | null> {
  const reason = await writeFile(report, text).catch(reasonOf);
  return reason ? runTexts.cannotWrite(report, reason) : null;
}

/** Explains a file system error; for a code without a text of its own, with the message of Node. */
function reasonOf(error: unknown): Text {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, Text>> = runTexts.systemErrors;
  return known[code] ?? { en: message, es: message };
}
