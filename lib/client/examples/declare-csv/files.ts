import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { UsageError } from './usage-error.ts';

/** The bytes of a file; throws a UsageError when it cannot be read. */
export async function readInput(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Makes sure, before anything is sent, that a report can be written and is not the input; throws a UsageError. */
export async function checkReportFile(report: string, input: string): Promise<void> {
  try {
    await (await open(report, 'a')).close();
    const [ofReport, ofInput] = await Promise.all([stat(report), stat(input)]);
    if (ofReport.dev === ofInput.dev && ofReport.ino === ofInput.ino) throw new Error('it is the file of invoices');
  } catch (error) {
    throw new UsageError(`The report ${report} cannot be written: ${(error as Error).message}`);
  }
}

/** Writes the report; gives why it cannot be written, in one line, or null. */
export async function writeReport(report: string, text: string): Promise<string | null> {
  try {
    await writeFile(report, text);
    return null;
  } catch (error) {
    return `The report ${report} cannot be written: ${(error as Error).message}`;
  }
}
