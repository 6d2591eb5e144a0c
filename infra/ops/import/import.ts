import { Option } from '@commander-js/extra-typings';
import { readTenant } from '../directory/read-directory.ts';
import { type ImportCounts, importInvoices, createCounts } from './import-invoices.ts';
import type { Force } from './merge-record.ts';
import { InputError, readRecords, type WrittenOptions } from './read-records.ts';
import { IMPORT_FIELDS } from './record-schema.ts';
import { type Survey, surveyRecords } from './survey-records.ts';
import { OperatorError } from '../operator-errors.ts';
import { compileSchema } from '../input/compile-schema.ts';
import { toDecimal } from '../input/decimal-text.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { toPrintableJson } from '../../../lib/runtime/printable.ts';
import { describeFormat } from '../../../lib/client/spreadsheets/read-table.ts';
import { SEPARATORS } from '../../../lib/client/spreadsheets/read-csv.ts';
import {
  defineCommand,
  dryRunOption,
  type ExitCode,
  formatCount,
  matching,
  runCommand,
  type Session,
  stopSignal,
  zoneOption,
} from '../command.ts';
import { readDocument } from '../input/read-yaml.ts';
import { isSameFile } from '../out-file.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import { decimalOption, formatOption, type Input, openInput } from './import-files.ts';
import { showProgress } from './progress.ts';
import { runWithRejects } from './rejects-file.ts';

const ENCODINGS = { 'utf-8': 'UTF-8', 'windows-1252': 'Windows-1252' } as const;
const namesOf = <Name extends string>(table: Readonly<Record<Name, string>>) => Object.keys(table) as Name[];

const command = defineCommand('import-invoices', {
  summary: 'Import the invoices of a tenant from a file. A second run of the same file changes nothing.',
  example: 'import-invoices infra/local/demo/invoices.ndjson --tenant demo.example --zone -03:00 --local',
})
  .argument('<file>', 'NDJSON, or CSV or .xlsx with a header; - reads standard input')
  .requiredOption('--tenant <tenant>', 'tenant of the invoices')
  .addOption(formatOption)
  .option('--map <file>', 'columns of a CSV, as lines of `field: heading`; other columns are ignored')
  .addOption(new Option('--separator <mark>', 'separator of the columns of a CSV').choices(namesOf(SEPARATORS)))
  .addOption(decimalOption)
  .option('--day-first', 'read dates of a CSV with their day first: 24/08/2026')
  .addOption(new Option('--encoding <name>', 'encoding of a CSV').choices(namesOf(ENCODINGS)))
  .addOption(zoneOption)
  .option('--rejects <file>', 'file of the rejected records (default: FILE.rejected.ndjson)')
  .option('--from-line <line>', 'continue an import at this line', matching(/^[1-9]\d{0,14}$/, 'a line number'), '1')
  .option(
    '--expect-records <number>',
    'import nothing unless the file has this number of records',
    matching(/^\d{1,15}$/, 'a number of records'),
  )
  .option(
    '--expect-total <amount>',
    'import nothing unless this is the sum of the system amounts of all records',
    matching(/^\d{1,30}(\.\d{1,20})?$/, 'an amount, such as 1050.25'),
  )
  .option('--allow-zeros', 'accept ids of a supplier that differ only in leading zeros, such as 0080101 and 80101')
  .option('--allow-repeated', 'import several records of one invoice in their order, as exported declarations need')
  .option('--force', 'also change the amount of declared, approved and settled invoices, and the state of settled ones')
  .option('--reason <text>', 'reason for --force, which the history of each invoice records')
  .addOption(byOption)
  .addOption(dryRunOption)
  .addHelpText(
    'after',
    '\nOptions you omit are detected from the first 1000 records of the file, and the detected values are printed.',
  );

type Options = ReturnType<typeof command.opts>;

export const importInvoicesCommand = command.action((file, options) =>
  runCommand(options, async (session) => {
    const force = await readForce(options, session.operator);
    const stop = stopSignal(session.host);
    const input = await openInput(file, options, session.host.stdin, stop);
    try {
      return await runImport(input, options, { force, written: await readWritten(options, input) }, session, stop);
    } finally {
      await input.close();
    }
  }),
);

/** Reads the options that describe a CSV or a workbook; throws an OperatorError if they do not fit the input. */
async function readWritten(
  { map, separator, encoding, decimal, dayFirst }: Options,
  { format, rejectsPath }: Input,
): Promise<WrittenOptions> {
  const hasOption = [map, separator, encoding, decimal, dayFirst].some((option) => option !== undefined);
  if (format === 'ndjson' && hasOption) {
    throw new OperatorError('--map, --separator, --decimal, --day-first and --encoding require a CSV or a workbook.');
  }
  if (map !== undefined && (await isSameFile(map, rejectsPath))) {
    throw new OperatorError('--map names the file of the rejected records. Name another file with --rejects.');
  }
  return {
    map: map === undefined ? undefined : readColumnMap(await readDocument(map)),
    separator: separator && SEPARATORS[separator],
    encoding: encoding && ENCODINGS[encoding],
    decimal,
    dayFirst,
  };
}

const heading = { type: 'string', pattern: '\\S', description: 'the heading must be a string, in quotes' };
const findMapErrors = compileSchema({
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: Object.fromEntries(IMPORT_FIELDS.map((field) => [field, heading])),
  description: 'must contain lines such as "invoice_id: My heading"',
});

/** Reads the map of columns; throws an OperatorError that contains all errors of the map. */
export function readColumnMap(document: unknown): NonNullable<WrittenOptions['map']> {
  const errors = findMapErrors(document, '');
  if (errors.length === 0) return Object.entries(document as Readonly<Record<string, string>>);
  const fields = `The fields are ${IMPORT_FIELDS.join(', ')}.`;
  throw new OperatorError(['The map of columns cannot be used:', ...errors, fields].join('\n  '));
}

/** Reads the author and the reason of --force; throws an OperatorError if only some of the options are present. */
async function readForce({ force, reason, by }: Options, operator: Session['operator']): Promise<Force | undefined> {
  if (!force) {
    if (reason === undefined && by === undefined) return undefined;
    throw new OperatorError('--reason and --by require --force. Pass --force, too, or omit them.');
  }
  if (reason === undefined) throw new OperatorError('--force requires a reason. Pass --reason TEXT.');
  return { reason: readText('--reason', reason), changedBy: await identifyAuthor(operator, by) };
}

const CUT_OFF_HINT = ': compare the number of records, or pass --expect-records and --expect-total.';

/**
 * Imports an input that can be read several times: reads it once to compare its records with each other, and once to
 * import them. Prints how it was read, and the results of its records.
 */
async function runImport(
  input: Input,
  options: Options,
  { force, written }: { readonly force: Force | undefined; readonly written: WrittenOptions },
  session: Session,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { tenant, zone, allowZeros } = options;
  const fromLine = Number(options.fromLine);
  // All checks of the whole file precede the replacement of the rejects of an earlier run.
  await readTenant(session.ports, tenant);
  const reading = { ...written, zone, signal: stop };
  const survey = await surveyRecords(readRecords(input.openStream(), input.format, reading), { ...options, fromLine });
  if (!stop.aborted) requireTotals(survey, options);
  const mayBeCutOff = input.format === 'csv' && !(await input.endsWithLineEnd());
  if (mayBeCutOff)
    session.output.note(`Warning: the last line has no line end. The file may be cut off${CUT_OFF_HINT}`);
  const counts = createCounts(fromLine - 1);
  let format: { readonly read_as?: readonly string[]; readonly left_out?: readonly string[] } = {};
  const records = readRecords(input.openStream(), input.format, {
    ...reading,
    onDetectedFormat(detected) {
      const leftOut = detected.headings.filter((_, index) => detected.fields[index] === null);
      format = { read_as: describeFormat(detected, 'en'), ...(leftOut.length > 0 && { left_out: leftOut }) };
    },
  });
  return runWithRejects(
    session,
    { path: input.rejectsPath, continues: fromLine > 1 },
    async (addRejected, write) => {
      const progress = options.json ? null : showProgress(session.host.stderr, input.totalBytes);
      try {
        await importInvoices(session.ports, records, {
          ...{ tenant, now: systemClock.now(), fromLine, survey, allowZeros, force, counts, stop },
          hasWallTimes: input.format === 'xlsx',
          async reject({ line, source }, errors) {
            addRejected(errors);
            const json = `{"line":${line},"reasons":${JSON.stringify(errors)},"record":${source}}`;
            await write(`${toPrintableJson(json)}\n`);
          },
          progress: () => progress?.update(input.bytesRead(), counts),
        });
      } finally {
        progress?.stop();
      }
    },
    (failure) => {
      const end = `after line ${counts.lastLine}. To continue, pass --from-line ${counts.lastLine + 1}.`;
      const unreadable = failure instanceof InputError ? failure : null;
      if (unreadable) {
        const { line, message } = unreadable;
        const hint = line > 1 ? `Correct the file, and pass --from-line ${line}.` : 'Nothing was imported.';
        session.output.error(`${message} ${hint}`);
      } else if (failure) session.output.error(`The import failed ${end}`);
      return {
        lines: [...(format.read_as ?? []), ...countLines(counts)],
        interruption: stop.aborted ? `Interrupted ${end}` : null,
        document: {
          ...countsDocument(counts),
          ...(mayBeCutOff && { may_be_cut_off: true }),
          ...format,
          ...(unreadable && { from_line: unreadable.line }),
        },
      };
    },
  );
}

/** Throws an OperatorError if a file does not have the control totals that are expected of it. */
function requireTotals(
  { records, total, unreadable }: Survey,
  { expectRecords, expectTotal }: Pick<Options, 'expectRecords' | 'expectTotal'>,
): void {
  if (expectRecords === undefined && expectTotal === undefined) return;
  const errors: string[] = [];
  if (unreadable) errors.push(`${unreadable.message} The control totals need the whole file.`);
  if (expectRecords !== undefined && Number(expectRecords) !== records) {
    errors.push(`--expect-records: expected ${expectRecords}, but the file has ${formatCount(records, 'record')}.`);
  }
  if (expectTotal !== undefined && !total.eq(toDecimal(expectTotal))) {
    errors.push(`--expect-total: expected ${expectTotal}, but system_amount adds up to ${total.toFixed()}.`);
  }
  if (errors.length > 0) throw new OperatorError([...errors, 'Nothing was imported.'].join('\n'));
}

function countLines(counts: ImportCounts): string[] {
  const { created, changed, unchanged, rejected, repeated, amounts, ignoredStates } = counts;
  const lines = [`${created} created, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected`];
  if (repeated > 0) lines.push(`${formatCount(repeated, 'repetition')} of equal records skipped`);
  if (amounts.count > 0) {
    const { before, after, absolute } = amounts;
    const net = after.minus(before);
    const sums = `${before.toFixed()} → ${after.toFixed()} in total`;
    const differences = `net ${net.gt(0) ? '+' : ''}${net.toFixed()}, absolute ${absolute.toFixed()}`;
    lines.push(`${formatCount(amounts.count, 'system amount')} changed: ${sums} (${differences})`);
  }
  const { count, first } = ignoredStates;
  if (count > 0) {
    const named = first.map(({ invoice_id, state_code, stays }) => `${invoice_id}: ${state_code}, stays ${stays}`);
    const names = [...named, ...(count > first.length ? ['…'] : [])].join('; ');
    const states = `${formatCount(count, 'state')} ignored, because the supplier has declared (${names})`;
    lines.push(`${states}. To change them, run decide.`);
  }
  return lines;
}

function countsDocument({ lastLine, ignoredStates, amounts, ...records }: ImportCounts): object {
  const { count, ...sums } = amounts;
  const sumEntries = Object.entries(sums).map(([name, sum]) => [name, sum.toNumber()]);
  return {
    ...records,
    last_line: lastLine,
    system_amounts_changed: { count, ...Object.fromEntries(sumEntries) },
    states_not_taken_over: ignoredStates,
  };
}
