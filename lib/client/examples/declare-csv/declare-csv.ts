import { CommanderError } from '@commander-js/extra-typings';
import type { Text } from '../../../domain/language.ts';
import { describeFindings } from '../../../spreadsheets/findings.ts';
import { SpreadsheetError } from '../../../spreadsheets/spreadsheet-error.ts';
import { createPortalClient, type PortalClient, type PortalClientOptions, wait } from '../../index.ts';
import { readCredentials } from './credentials.ts';
import { declareLines, estimatedMinutes } from './declare-lines.ts';
import { checkReportFile, readInput, writeReport } from './files.ts';
import { languageOf, type Options, programIn, urlOf, UsageError } from './program.ts';
import { showProgress } from './progress.ts';
import { readInvoices } from './read-invoices.ts';
import { dialectOf, reportCsv } from './report-csv.ts';
import { RequestLog } from './request-log.ts';
import { reasonOf, summaryOf } from './summary.ts';
import { fileTexts } from './file-texts.ts';
import { runTexts } from './run-texts.ts';

const language = languageOf(process.argv.slice(2));

const EXIT = { done: 0, incomplete: 1, wrongUse: 2, interrupted: 130 } as const;
type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Declares the invoices of a file, and says what became of them. */
async function declareCsv(file: string, options: Options): Promise<ExitCode> {
  const { tenant, email, report, map = [], ignore = [] } = options;
  const mode = { checkOnly: options.check === true, holdReview: options.holdReview === true };
  const bytes = await readInput(file);
  const { lines, faults, findings } = await readInvoices(bytes, { map, ignore });
  const understood = describeFindings(findings, language);
  if (faults.length > 0) {
    for (const line of understood) print(line);
    say(fileTexts.faults(file, faults.length));
    for (const { line, column, message } of faults) say(fileTexts.line(line, column, message));
    return EXIT.incomplete;
  }
  if (report !== undefined) await checkReportFile(report, file);
  const credentials = await readCredentials(language);
  if (!credentials) return EXIT.interrupted;

  const stop = new AbortController();
  // Under npm one Ctrl-C may arrive twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  const minutes = estimatedMinutes(lines.length, mode);
  if (minutes > 0) sayAside(runTexts.duration(lines.length, minutes));
  const progress = showProgress(process.stderr, language);
  const requests = new RequestLog();
  const client = createClient({
    baseUrl: urlOf(options),
    tenant,
    email,
    ...credentials,
    language,
    fetch: requests.fetch,
    wait(seconds, signal) {
      progress.waiting(seconds);
      return wait(seconds, signal);
    },
  });
  for (const line of understood) print(line);
  const { results, stoppedBy } = await declareLines(lines, {
    client,
    requests,
    ...mode,
    progress,
    signal: stop.signal,
  });

  // Before anything is printed: who reads it may be gone.
  const reportFault =
    report === undefined ? null : await writeReport(report, reportCsv(results, dialectOf(bytes, findings, language)));
  if (stoppedBy !== undefined) say(runTexts.stopped(stop.signal.aborted ? runTexts.interrupted : reasonOf(stoppedBy)));
  for (const line of summaryOf(results, language)) print(line);
  if (reportFault !== null) sayAside(runTexts.error(reportFault));
  if (stoppedBy !== undefined && stop.signal.aborted) return EXIT.interrupted;
  const failed = [...results.values()].some(({ outcome }) => outcome === 'rejected' || outcome === 'unknown');
  return failed || stoppedBy !== undefined || reportFault !== null ? EXIT.incomplete : EXIT.done;
}

/** What the client refuses to begin with is a mistake of the caller: a value that no header can hold. */
function createClient(options: PortalClientOptions): PortalClient {
  try {
    return createPortalClient(options);
  } catch (error) {
    const [name = ''] = (error as Error).message.split(' ');
    throw new UsageError(runTexts.noHeader(name));
  }
}

// Messages may come from elsewhere: a terminal is told nothing by them.
const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/\p{Cf}/gu, '');
const print = (line: string) => process.stdout.write(`${printable(line)}\n`);
const say = (text: Text) => print(text[language]);
/** Standard output is for results. */
const sayAside = (text: Text) => process.stderr.write(`${printable(text[language])}\n`);

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Nobody reads any more; what has begun still has to end, and to be reported.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

try {
  await programIn(language)
    .action(async (file, options) => {
      process.exitCode = await declareCsv(file, options);
    })
    .parseAsync();
} catch (error) {
  // The parser has said already what was wrong, or what was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  else if (error instanceof UsageError || error instanceof SpreadsheetError) {
    sayAside(runTexts.error(error.text));
    process.exitCode = EXIT.wrongUse;
  } else throw error;
}
