import { Option } from '@commander-js/extra-typings';
import { toPrintableJson } from '../../../lib/runtime/printable.ts';
import { describeFormat } from '../../../lib/client/spreadsheets/read-table.ts';
import { ENCODINGS } from '../../../lib/client/spreadsheets/csv-encoding.ts';
import { SEPARATORS } from '../../../lib/client/spreadsheets/read-csv.ts';
import { startProgress } from '../../../lib/terminal/progress.ts';
import type { OutputStream } from '../../process/terminal.ts';
import { defineCommand, dryRunOption, matching, runCommand, type Session, stopSignal, zoneOption } from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { toDecimal } from '../input/decimal-text.ts';
import { readDocument } from '../input/read-yaml.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import { formatDecimal, getLanguage, languageOption, translate } from '../texts/language.ts';
import { OperatorError } from '../operator-errors.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { isSameFile } from '../output/out-file.ts';
import { ImportCounts } from './import-counts.ts';
import { dayFirstOption, decimalOption, formatOption, type Input, openInput } from './import-files.ts';
import { importInvoices, type ImportOptions } from './import-invoices.ts';
import { type FormatOptions, InputError, readRecords, type SourceRecord } from './read-records.ts';
import { IMPORT_FIELDS } from './record-schema.ts';
import { openRejects } from './rejects-file.ts';
import { type Survey, surveyRecords } from './survey-records.ts';

const getKeys = <Key extends string>(table: Readonly<Record<Key, string>>) => Object.keys(table) as Key[];

const command = defineCommand('import-invoices', {
  summary: 'Import the invoices of a tenant from a file. A second run of the same file changes nothing.',
  example: 'import-invoices infra/local/demo/invoices.ndjson --tenant demo.example --zone -03:00 --local',
})
  .argument('<file>', 'NDJSON, or CSV or .xlsx with a header; - reads standard input')
  .requiredOption('--tenant <tenant>', 'tenant of the invoices')
  .addOption(formatOption)
  .option('--map <file>', 'file that maps columns to fields, `field: heading` per line; other columns are ignored')
  .addOption(new Option('--separator <mark>', 'separator of a CSV').choices(getKeys(SEPARATORS)))
  .addOption(decimalOption)
  .addOption(dayFirstOption)
  .addOption(new Option('--encoding <name>', 'encoding of a CSV').choices(ENCODINGS.map((name) => name.toLowerCase())))
  .addOption(zoneOption)
  .option('--rejects <file>', 'write the rejected records to this file (default: FILE.rejected.ndjson)')
  .option(
    '--expect-records <number>',
    'stop before the import if the number of records differs',
    matching(/^\d{1,15}$/, 'a number of records'),
  )
  .option(
    '--expect-total <amount>',
    'stop before the import if the sum of the system amounts differs',
    matching(/^\d{1,30}([.,]\d{1,20})?$/, 'an amount, such as 1050.25 or 1050,25'),
  )
  .option('--allow-zeros', 'accept ids of a supplier that differ only in leading zeros, such as 0080101 and 80101')
  .option(
    '--force',
    'also change the system amount of declared, approved and settled invoices, and the declared amount and the state ' +
      'of settled ones; requires --reason',
  )
  .option('--reason <text>', 'reason for --force, which the history of each invoice records')
  .addOption(byOption)
  .addOption(dryRunOption)
  .addOption(languageOption)
  .addHelpText(
    'after',
    '\nThe format options that you omit are detected from the first 1000 records. The detected values are printed.',
  );

type Options = ReturnType<typeof command.opts>;

export const importInvoicesCommand = command.action((file, options) =>
  runCommand(options, async (session) => {
    const force = await readForce(options, session.operator);
    const stop = stopSignal(session.host);
    await using input = await openInput(file, options, session.host.stdin, stop);
    return await runImport(session, input, options, { force, stop });
  }),
);

/** Reads the author and reason of --force. Throws an OperatorError if --force or --reason is passed without the other. */
async function readForce({ force, reason, by }: Options, operator: Session['operator']) {
  if (!force && reason === undefined && by === undefined) return undefined;
  if (!force || reason === undefined) throw new OperatorError(translate(opsTexts.forceNeedsReason));
  return { reason: readText('--reason', reason), changedBy: await identifyAuthor(operator, by) };
}

/** Imports an input. Reads it twice: first to compare its records with each other, then to import them. */
async function runImport(
  session: Session,
  input: Input,
  options: Options,
  { force, stop }: Pick<ImportOptions, 'force'> & { readonly stop: AbortSignal },
) {
  const { ports, output, host } = session;
  const { tenant, zone, allowZeros } = options;
  const readOptions = { ...(await readFormatOptions(options, input)), zone, signal: stop };

  // The rejects of an earlier run are replaced only after all checks of the whole file.
  await readTenant(ports, tenant);
  const survey = await surveyRecords(readRecords(input.openStream(), input.format, readOptions), allowZeros);
  const { unreadable } = survey;
  if (unreadable && survey.records === 0)
    throw new OperatorError(`${unreadable.message} ${translate(opsTexts.nothingImported)}`);
  if (!stop.aborted) requireTotals(survey, options);

  let readAs: readonly string[] | undefined;
  const records = readRecords(input.openStream(), input.format, {
    ...readOptions,
    onDetectedFormat: (detected) => void (readAs = describeFormat(detected, getLanguage())),
  });
  const counts = new ImportCounts();
  const rejects = await openRejects(session, input.rejectsPath);
  const progress = options.json ? null : startImportProgress(host.stderr, input.totalBytes);
  let failure: unknown = null;
  try {
    const importOptions = { tenant, survey, allowZeros, force, hasWallTimes: input.format === 'xlsx', stop };
    for await (const results of importInvoices(ports, records, importOptions)) {
      for (const { record, result } of results) {
        counts.add(result);
        if (!result.errors) continue;
        rejects.add(result.errors);
        await rejects.write(toRejectsLine(record, result.errors));
      }
      progress?.update(input.bytesRead(), { records: counts.countRecords(), rejected: counts.outcomes.rejected });
    }
  } catch (error) {
    failure = error;
  } finally {
    progress?.stop();
  }

  if (failure instanceof InputError) output.error(`${failure.message} ${translate(opsTexts.correctFile)}`);
  return rejects.report({
    lines: [...(readAs ?? []), ...counts.toLines()],
    isInterrupted: stop.aborted,
    document: { ...counts.toDocument(), read_as: readAs },
    failure,
  });
}

/** Reads the options that describe a CSV or a workbook; throws an OperatorError if they do not fit the input. */
async function readFormatOptions(options: Options, { format, rejectsPath }: Input): Promise<FormatOptions> {
  const { map, separator, encoding, decimal, dayFirst } = options;
  const hasOption = [map, separator, encoding, decimal, dayFirst].some((option) => option !== undefined);
  if (format === 'ndjson' && hasOption) throw new OperatorError(translate(opsTexts.formatOptions));
  if (map !== undefined && (await isSameFile(map, rejectsPath))) {
    throw new OperatorError(translate(opsTexts.sameFile('--map', '--rejects')));
  }
  return {
    map: map === undefined ? undefined : readColumnMap(await readDocument(map)),
    separator: separator && SEPARATORS[separator],
    encoding: ENCODINGS.find((name) => name.toLowerCase() === encoding),
    decimal,
    dates: dayFirst ? 'dmy' : undefined,
  };
}

/** Reads the map of columns. Throws an OperatorError that names all invalid lines. */
export function readColumnMap(document: unknown): NonNullable<FormatOptions['map']> {
  const lines: [field: string, heading: unknown][] = Object.entries(document ?? {});
  const isValid = (line: [field: string, heading: unknown]): line is [string, string] =>
    IMPORT_FIELDS.includes(line[0]) && typeof line[1] === 'string' && line[1].trim() !== '';
  if (lines.length > 0 && lines.every(isValid)) return lines;
  const invalidFields = lines.filter((line) => !isValid(line)).map(([field]) => field);
  const invalidList = invalidFields.join(', ') || translate(opsTexts.none);
  throw new OperatorError(translate(opsTexts.invalidMap(invalidList, IMPORT_FIELDS.join(', '))));
}

/** Throws an OperatorError if a file does not have the control totals of --expect-records and --expect-total. */
function requireTotals({ records, total, unreadable }: Survey, { expectRecords, expectTotal }: Options): void {
  if (expectRecords === undefined && expectTotal === undefined) return;
  const errors: string[] = [];
  if (unreadable) errors.push(translate(opsTexts.totalsNeedFile(unreadable.message)));
  if (expectRecords !== undefined && Number(expectRecords) !== records) {
    errors.push(translate(opsTexts.otherRecords(expectRecords, records)));
  }
  if (expectTotal !== undefined && !total.eq(toDecimal(expectTotal.replace(',', '.')))) {
    errors.push(translate(opsTexts.otherTotal(expectTotal, formatDecimal(total))));
  }
  if (errors.length > 0) throw new OperatorError([...errors, translate(opsTexts.nothingImported)].join('\n'));
}

/** Builds a line of the file of rejected records: `{"line":2,"reasons":["record: is not valid JSON"],"record":"x"}`. */
function toRejectsLine({ line, source }: SourceRecord, errors: readonly string[]): string {
  return `${toPrintableJson(`{"line":${line},"reasons":${JSON.stringify(errors)},"record":${source}}`)}\n`;
}

/** Shows the progress of an import on a terminal. */
function startImportProgress(stream: OutputStream, totalBytes: number) {
  const format = `{bar} {percentage}% | ${translate(opsTexts.importProgress)}`;
  return startProgress(stream, format, totalBytes, { records: 0, rejected: 0 });
}
