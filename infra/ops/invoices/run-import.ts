import { readTenant } from '../../../lib/admin/directory/find-suppliers.ts';
import { type ImportCounts, noCounts } from '../../../lib/admin/import/import-counts.ts';
import { importInvoices } from '../../../lib/admin/import/import-invoices.ts';
import type { Force } from '../../../lib/admin/import/protection.ts';
import { readRecords } from '../../../lib/admin/import/read-records.ts';
import type { WrittenOptions } from '../../../lib/admin/import/read-records.ts';
import { InputError } from '../../../lib/admin/import/source-record.ts';
import { surveyRecords } from '../../../lib/admin/import/survey-records.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { describeFindings } from '../../../lib/spreadsheets/findings.ts';
import { EXIT, type ExitCode, type Session } from '../command.ts';
import { FrequentReasons } from './frequent-reasons.ts';
import { endsWithLineEnd, type Input } from './import-files.ts';
import { showProgress } from './import-progress.ts';
import { type ControlTotals, countLines, countsDocument, requireTotals } from './import-texts.ts';
import { incompleteRejects, NO_REJECTS_FILE, openRejectsFile } from './rejects-file.ts';

/** The options of an import on the command line. */
export interface Wanted {
  readonly tenant: string;
  readonly zone: string | undefined;
  readonly fromLine: number;
  readonly expected: ControlTotals;
  readonly allowsZeros: boolean;
  readonly allowsRepeated: boolean;
  readonly force: Force | undefined;
  readonly written: WrittenOptions;
  readonly showsProgress: boolean;
}

const SHOWN_REASONS = 3;
const CUT_OFF_HINT = ': compare the number of records, or pass --expect-records and --expect-total.';

/**
 * Imports an input that can be read several times: reads it once to compare its records with each other, and once to
 * import them. Prints how it was read, and what became of the records.
 */
export async function runImport(
  input: Input,
  { tenant, zone, fromLine, expected, allowsZeros, allowsRepeated, force, written, showsProgress }: Wanted,
  { ports, output, host, dryRun }: Session,
  stop: AbortSignal,
): Promise<ExitCode> {
  // All checks of the whole file come before the rejects of an earlier run give way.
  await readTenant(ports, tenant);
  const firstPass = readRecords(input.openStream(), input.format, { ...written, signal: stop });
  const survey = await surveyRecords(firstPass, { zone, fromLine, allowsZeros, allowsRepeated });
  if (!stop.aborted) requireTotals(survey, expected);
  const mayBeCutOff = input.format === 'csv' && !(await endsWithLineEnd(input));
  if (mayBeCutOff) output.note(`Warning: the last line has no line end. The file may be cut off${CUT_OFF_HINT}`);
  const rejects = dryRun ? NO_REJECTS_FILE : await openRejectsFile(input.rejectsPath, { append: fromLine > 1 });
  if (rejects.hadDamagedLine) output.note(`The last line of ${input.rejectsPath} was incomplete; it was ended.`);
  const progress = showsProgress ? showProgress(host.stderr, input.totalBytes) : null;
  let lastLine = fromLine - 1;
  let counts: Readonly<ImportCounts> = noCounts();
  const reasons = new FrequentReasons();
  let unreadable: InputError | null = null;
  let understood: readonly string[] = [];
  let leftOut: readonly string[] = [];
  let rejectsFailure: string | null = null;
  const records = readRecords(input.openStream(), input.format, {
    ...written,
    signal: stop,
    onFindings(findings) {
      understood = describeFindings(findings, 'en');
      leftOut = findings.headings.filter((_, index) => findings.fields[index] === null);
    },
  });
  try {
    await importInvoices(ports, records, {
      tenant,
      now: systemClock.now(),
      zone,
      fromLine,
      survey,
      allowsZeros,
      force,
      hasWallTimes: input.format === 'xlsx',
      reject: (record, faults) => {
        reasons.add(faults);
        return rejects.add(record, faults);
      },
      progress(line, soFar) {
        lastLine = line;
        counts = soFar;
        progress?.update(input.bytesRead(), soFar);
      },
      stop,
    });
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    if (!(error instanceof InputError)) {
      output.fault(`It failed after line ${lastLine}; run it again, with --from-line ${lastLine + 1} to go on there.`);
      output.document({ ...countsDocument(counts), last_line: lastLine, error: (error as Error).message });
      throw error;
    }
    unreadable = error;
  } finally {
    progress?.stop();
    rejectsFailure = await rejects.close();
    if (rejectsFailure !== null) output.fault(incompleteRejects(input.rejectsPath, rejectsFailure));
  }
  const { rejected } = counts;
  const rejectsFile = rejected > 0 && !dryRun ? input.rejectsPath : null;
  const frequent = reasons.top(SHOWN_REASONS);
  for (const line of [...understood, ...countLines(counts)]) output.line(line);
  if (rejectsFile && rejectsFailure === null) output.line(`The rejected records and the reasons are in ${rejectsFile}`);
  for (const { reason, records: count } of frequent) output.line(`  ${count} × ${reason}`);
  if (unreadable) output.fault(`${unreadable.message}${goOnHint(unreadable)}`);
  if (stop.aborted) output.line(`Interrupted after line ${lastLine}: go on with --from-line ${lastLine + 1}`);
  output.document({
    ...countsDocument(counts),
    last_line: lastLine,
    interrupted: stop.aborted,
    rejects_file: rejectsFile,
    ...(rejectsFailure !== null && { rejects_error: incompleteRejects(input.rejectsPath, rejectsFailure) }),
    frequent_reasons: frequent,
    ...(mayBeCutOff && { may_be_cut_off: true }),
    ...(understood.length > 0 && { read_as: understood }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(unreadable && { error: unreadable.message, from_line: unreadable.line }),
  });
  if (rejectsFailure !== null) return EXIT.failed;
  if (stop.aborted) return EXIT.interrupted;
  return rejected > 0 || unreadable ? EXIT.rejected : EXIT.done;
}

function goOnHint({ line }: InputError): string {
  return line > 1 ? ` Mend it, and go on with --from-line ${line}` : ' Nothing was imported.';
}
