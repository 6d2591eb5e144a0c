import { env } from 'node:process';
import type { Text } from '../domain/language.ts';
import { toPrintable } from '../runtime/printable.ts';
import { describeFormat } from '../client/spreadsheets/read-table.ts';
import { TextError } from '../client/spreadsheets/spreadsheet-error.ts';
import { createPortalClient, type PortalClient, type PortalClientOptions, type Wait, wait } from '../client/index.ts';
import { askYesOrNo } from '../terminal/read-answers.ts';
import { declareLines, type LineResult, type Run } from './declare-lines.ts';
import { formatErrors } from './format-errors.ts';
import { type CommandLine, detectLanguage, formatHelp, parseCommandLine } from './program.ts';
import { readInvoices } from './read-invoices.ts';
import { checkReportFile, findDialect, formatReport, readInput, writeReport } from './report.ts';
import { describeFailure, formatExpectation, formatSummary } from './results.ts';
import { fileTexts, runTexts } from './run-texts.ts';
import { readCredentials, showProgress } from './terminal.ts';

const args = process.argv.slice(2);
const language = detectLanguage(args);

const EXIT_CODES = { done: 0, incomplete: 1, invalidUsage: 2, interrupted: 130 };

/** Declares the invoices of a file, and prints the result; returns the exit code. */
async function declareCsv(options: CommandLine): Promise<number> {
  const { file, report } = options;
  const { lines, errors, detected } = await readInvoices(await readInput(file), options);
  const format = describeFormat(detected, language);
  if (errors.length > 0) {
    printLines([...format, fileTexts.errors(file, errors.length)[language], ...formatErrors(errors, language)]);
    return EXIT_CODES.incomplete;
  }
  if (report !== undefined) await checkReportFile(report, file, options.overwrite);
  const credentials = await readCredentials(language);
  if (!credentials) return EXIT_CODES.interrupted;

  const stop = new AbortController();
  const { signal } = stop;
  // Under npm, the process can receive the signal of one Ctrl-C twice.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
  const progress = showProgress(process.stderr, language);
  const showWait: Wait = (seconds, waitSignal) => {
    progress.showWait(seconds);
    return wait(seconds, waitSignal);
  };
  const client = createClient({ ...options, baseUrl: options.url, ...credentials, language, wait: showWait });
  printLines(format);
  const { check: checkOnly, 'hold-review': holdReview } = options;
  const isAsked = process.stdin.isTTY && process.stderr.isTTY && !options.yes;
  const confirm = isAsked ? confirmRun : undefined;
  const settings = { client, language, checkOnly, holdReview, confirm, progress, signal };
  const run = await declareLines(lines, settings);
  // The report is written before anything is printed, because the reader of the output may have closed it.
  let reportError: Text | null = null;
  if (report !== undefined) {
    const dialect = findDialect(detected, language);
    reportError = await writeReport(report, await formatReport(run.results, report, dialect, language));
  }
  return printRun(run, run.stoppedBy !== undefined && signal.aborted, reportError);
}

/** Shows the expected results, and asks if the lines are declared. Returns true if there is nothing to declare. */
async function confirmRun(results: readonly LineResult[]): Promise<boolean> {
  const count = results.filter(({ outcome }) => outcome === 'not_declared').length;
  if (count === 0) return true;
  printLines([...formatExpectation(results, language), ''], process.stderr);
  return askYesOrNo(runTexts.question(count)[language], process, language);
}

/** Prints the results of a run, and the error of its report; returns the exit code. */
function printRun(run: Run, isInterrupted: boolean, reportError: Text | null): number {
  const { results, stoppedBy, isDeclined = false } = run;
  if (isInterrupted) printLines([runTexts.interrupted[language]]);
  else if (stoppedBy !== undefined) printLines([runTexts.stopped(describeFailure(stoppedBy))[language]]);
  printLines(isDeclined ? [runTexts.notConfirmed[language]] : formatSummary(results, language));
  if (reportError !== null) printError(reportError);
  if (isInterrupted || isDeclined) return EXIT_CODES.interrupted;
  const hasRejectedOrUnknown = results.some(({ outcome }) => outcome === 'rejected' || outcome === 'unknown');
  const isComplete = !hasRejectedOrUnknown && stoppedBy === undefined && reportError === null;
  return isComplete ? EXIT_CODES.done : EXIT_CODES.incomplete;
}

/** Creates the client; throws a TextError for an address or another option that cannot be used. */
function createClient(options: PortalClientOptions): PortalClient {
  try {
    return createPortalClient(options);
  } catch (error) {
    const [name = ''] = (error as Error).message.split(' ');
    throw new TextError(name === 'baseUrl' ? runTexts.invalidAddress : runTexts.invalidHeaderValue(name));
  }
}

function printLines(lines: readonly string[], stream: NodeJS.WritableStream = process.stdout): void {
  for (const line of lines) stream.write(`${toPrintable(line)}\n`);
}

function printError(text: Text): void {
  process.stderr.write(`error: ${toPrintable(text[language])}\n`);
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of the output has closed it. The run continues, so that the report is written.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

try {
  const commandLine = parseCommandLine(args, env);
  if (commandLine) process.exitCode = await declareCsv(commandLine);
  else process.stdout.write(`${formatHelp(language)}\n`);
} catch (error) {
  if (!(error instanceof TextError)) throw error;
  printError(error.text);
  process.exitCode = EXIT_CODES.invalidUsage;
}
