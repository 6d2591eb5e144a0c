import { CommanderError } from '@commander-js/extra-typings';
import { createPortalClient, type PortalClient, type PortalClientOptions, PortalError, wait } from '../../index.ts';
import { readCredentials } from './credentials.ts';
import { declareLines, estimatedMinutes } from './declare-lines.ts';
import { checkReportFile, readInput, writeReport } from './files.ts';
import { parseInvoices } from './parse-invoices.ts';
import { type Options, program } from './program.ts';
import { showProgress } from './progress.ts';
import { reportCsv } from './report-csv.ts';
import { RequestLog } from './request-log.ts';
import { summaryOf } from './summary.ts';
import { UsageError } from './usage-error.ts';

const EXIT = { done: 0, incomplete: 1, wrongUse: 2, interrupted: 130 } as const;
type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Declares the invoices of a file, and says what became of them. */
async function declareCsv(file: string, { url, tenant, email, check, holdReview, report }: Options): Promise<ExitCode> {
  const { lines, faults, dialect } = parseInvoices(await readInput(file));
  if (faults.length > 0) {
    print(`Nothing was sent: ${file} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}.`);
    for (const { line, column, message } of faults) print(`line ${line}${column ? `, ${column}` : ''}: ${message}`);
    return EXIT.incomplete;
  }
  if (report !== undefined) await checkReportFile(report, file);
  const credentials = await readCredentials();
  if (!credentials) return EXIT.interrupted;

  const stop = new AbortController();
  // Under npm one Ctrl-C may arrive twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  const minutes = estimatedMinutes(lines.length);
  if (minutes > 0) printError(`${lines.length} invoices take about ${minutes} min: requests a minute are limited.`);
  const progress = showProgress(process.stderr);
  const requests = new RequestLog();
  const client = createClient({
    baseUrl: url,
    tenant,
    email,
    ...credentials,
    fetch: requests.fetch,
    wait(seconds, signal) {
      progress.waiting(seconds);
      return wait(seconds, signal);
    },
  });
  const { results, stoppedBy } = await declareLines(lines, {
    client,
    requests,
    checkOnly: check === true,
    holdReview: holdReview === true,
    progress,
    signal: stop.signal,
  });

  // Before anything is printed: who reads it may be gone.
  const reportFault = report === undefined ? null : await writeReport(report, reportCsv(results, dialect));
  if (stoppedBy !== undefined) print(`Stopped: ${stop.signal.aborted ? 'interrupted.' : reasonOf(stoppedBy)}`);
  for (const line of summaryOf(results)) print(line);
  if (reportFault !== null) printError(`error: ${reportFault}`);
  if (stoppedBy !== undefined && stop.signal.aborted) return EXIT.interrupted;
  const failed = [...results.values()].some(({ outcome }) => outcome === 'rejected' || outcome === 'unknown');
  return failed || stoppedBy !== undefined || reportFault !== null ? EXIT.incomplete : EXIT.done;
}

/** What the client refuses to begin with is a mistake of the caller. */
function createClient(options: PortalClientOptions): PortalClient {
  try {
    return createPortalClient(options);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PortalError)) return String(error);
  const { code, message, requestId } = error;
  return `${code}: ${message}${requestId === null ? '' : ` (request ${requestId})`}`;
}

// Messages may come from elsewhere: a terminal is told nothing by them.
const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/\p{Cf}/gu, '');
const print = (line: string) => process.stdout.write(`${printable(line)}\n`);
const printError = (line: string) => process.stderr.write(`${printable(line)}\n`);

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Nobody reads any more; what has begun still has to end, and to be reported.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

program.action(async (file, options) => {
  process.exitCode = await declareCsv(file, options);
});
try {
  await program.parseAsync();
} catch (error) {
  // The parser has said already what was wrong, or what was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  else if (error instanceof UsageError) {
    printError(`error: ${error.message}`);
    process.exitCode = EXIT.wrongUse;
  } else throw error;
}
