import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { readTenant } from '../../../lib/admin/directory/find-suppliers.ts';
import { type ImportCounts, importInvoices, noCounts } from '../../../lib/admin/import/import-invoices.ts';
import { ZONE } from '../../../lib/admin/import/in-zone.ts';
import { HeaderError, InputError } from '../../../lib/admin/import/input-error.ts';
import { DECIMAL_SIGNS } from '../../../lib/admin/import/read-amount.ts';
import { type CsvOptions, ENCODINGS } from '../../../lib/admin/import/read-csv.ts';
import { FORMATS, readRecords } from '../../../lib/admin/import/read-records.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, EXIT, type ExitCode, runCommand, type Session, stopSignal } from '../command.ts';
import { readCsvOptions } from './csv-options.ts';
import { FrequentReasons } from './frequent-reasons.ts';
import { countLines, countsDocument } from './import-counts.ts';
import { showProgress } from './import-progress.ts';
import { type Input, openInput } from './open-input.ts';
import { RejectsFile } from './rejects-file.ts';

/** `import-invoices`: creates and updates invoices of a tenant from a file or from standard input. */
export const importInvoicesCommand = defineCommand('import-invoices', {
  summary: 'Import the invoices of a tenant from a file; it can be run again, and doubles nothing.',
  example: 'import-invoices infra/local/demo/invoices.ndjson --tenant demo.example --zone -03:00 --local',
})
  .argument('<file>', 'NDJSON, or CSV with a header; - is standard input')
  .requiredOption('--tenant <tenant>', 'whose invoices these are')
  .addOption(new Option('--format <format>', 'what is in the file, unless its name tells').choices(FORMATS))
  .option(
    '--map <file>',
    'which column of a CSV is which field, as lines of `field: heading`; other columns are left out',
  )
  .addOption(
    new Option('--decimal <sign>', 'what a CSV has before decimals: 1.050,00 or 1050.00').choices(DECIMAL_SIGNS),
  )
  .option('--day-first', 'dates of a CSV may have their day first: 24/08/2026')
  .addOption(new Option('--encoding <name>', 'how a CSV is encoded, unless in utf-8').choices(ENCODINGS))
  .option('--zone <offset>', 'the zone of dates and times without one, such as -03:00; without it UTC', zoneOffset)
  .option('--rejects <file>', 'where rejected records go, unless to FILE.rejected.ndjson')
  .option('--from-line <line>', 'go on with an interrupted import at this line', lineNumber, 1)
  .addOption(dryRunOption)
  .action((file, { tenant, zone, fromLine, ...options }) =>
    runCommand(options, async (session) => {
      const input = await openInput(file, options, session.host.stdin);
      try {
        const csv = await readCsvOptions(input.format, options);
        return await importFrom(input, { tenant, zone, fromLine, csv, showsProgress: !options.json }, session);
      } finally {
        input.stream.destroy();
      }
    }),
  );

interface Wanted {
  readonly tenant: string;
  readonly zone: string | undefined;
  readonly fromLine: number;
  readonly csv: CsvOptions;
  readonly showsProgress: boolean;
}

async function importFrom(
  input: Input,
  { tenant, zone, fromLine, csv, showsProgress }: Wanted,
  { installation, output, host }: Session,
): Promise<ExitCode> {
  // Asked before the rejects of an earlier run give way.
  await readTenant(installation, tenant);
  const rejects = await RejectsFile.open(input.rejectsPath, { append: fromLine > 1 });
  const stop = stopSignal(host);
  const progress = showsProgress ? showProgress(host.stderr, input.totalBytes) : null;
  let lastLine = fromLine - 1;
  let counts: Readonly<ImportCounts> = noCounts();
  const reasons = new FrequentReasons();
  let unreadable: InputError | null = null;
  let leftOut: readonly string[] = [];
  const onHeader: CsvOptions['onHeader'] = (header) => void ({ leftOut } = header);
  const records = readRecords(input.stream, input.format, { ...csv, fromLine, signal: stop, onHeader });
  try {
    await importInvoices(installation, records, {
      tenant,
      now: systemClock.now(),
      zone,
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
    await rejects.close();
  }
  const { rejected } = counts;
  const frequent = reasons.top(SHOWN_REASONS);
  for (const line of countLines(counts)) output.line(line);
  if (rejected > 0) output.line(`The rejected records and the reasons are in ${rejects.path}`);
  for (const { reason, records: count } of frequent) output.line(`  ${count} × ${reason}`);
  if (leftOut.length > 0) output.line(`Columns that are left out: ${leftOut.map((name) => name || '""').join(', ')}`);
  if (unreadable instanceof HeaderError) output.fault(`${unreadable.message} ${HEADER_HINT}`);
  else if (unreadable) output.fault(`${unreadable.message}${goOnHint(unreadable)}`);
  if (stop.aborted) output.line(`Interrupted after line ${lastLine}: go on with --from-line ${lastLine + 1}`);
  output.document({
    ...countsDocument(counts),
    last_line: lastLine,
    interrupted: stop.aborted,
    rejects_file: rejected > 0 ? rejects.path : null,
    frequent_reasons: frequent,
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(unreadable && { error: unreadable.message, from_line: unreadable.line }),
  });
  if (stop.aborted) return EXIT.interrupted;
  return rejected > 0 || unreadable ? EXIT.rejected : EXIT.done;
}

function goOnHint({ line }: InputError): string {
  return line > 1 ? ` Mend it, and go on with --from-line ${line}` : ' Nothing was imported.';
}

const SHOWN_REASONS = 3;
const HEADER_HINT = '--map says which column is which field.';

function zoneOffset(text: string): string {
  if (!ZONE.test(text)) throw new InvalidArgumentError('It is an offset from UTC, such as -03:00, or Z.');
  return text;
}

function lineNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a line number, from 1.');
  return Number(text);
}
