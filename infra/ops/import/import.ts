import { describeFormat } from '../../../lib/client/spreadsheets/describe-format.ts';
import { toPrintableJson } from '../../../lib/runtime/printable.ts';
import { startProgress } from '../../../lib/terminal/progress.ts';
import { defineCommand, dryRunOption, matching, runCommand, type Session, stopSignal, zoneOption } from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { toDecimal } from '../input/decimal-text.ts';
import { readDocument } from '../input/read-yaml.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import { OperatorError } from '../operator-errors.ts';
import { isSameFile } from '../output/out-file.ts';
import { formatDecimal, getLanguage, languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { ImportCounts } from './import-counts.ts';
import { dayFirstOption, decimalOption, formatOption, type Input, openInput } from './import-files.ts';
import { importInvoices, type ImportOptions } from './import-invoices.ts';
import { type FormatOptions, InputError, readRecords, type SourceRecord } from './read-records.ts';
import { IMPORT_FIELDS } from './record-schema.ts';
import { openRejects, type Rejects } from './rejects-file.ts';
import { type Survey, surveyRecords } from './survey-records.ts';

const command = defineCommand('import-invoices', {
  summary: 'Import the invoices of a tenant from a file. A second run of the same file changes nothing.',
  example: 'import-invoices infra/local/demo/invoices.ndjson --tenant demo.example --zone -03:00 --local',
})
  .argument('<file>', 'NDJSON, or CSV or .xlsx with a header; - reads standard input')
  .requiredOption('--tenant <tenant>', 'tenant of the invoices')
  .addOption(formatOption)
  .option('--map <file>', 'file that maps columns to fields, `field: heading` per line; other columns are ignored')
  .addOption(decimalOption)
  .addOption(dayFirstOption)
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
type ColumnMapLine = [field: string, heading: unknown];

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
  const { tenant, zone, allowZeros } = options;
  const readOptions = { ...(await readFormatOptions(options, input)), zone, signal: stop };
  await readTenant(session.ports, tenant);
  const survey = await surveyRecords(readRecords(input.openStream(), input.format, readOptions), allowZeros);
  requireReadable(survey);
  if (!stop.aborted) requireTotals(survey, options);

  // The rejects of an earlier run are replaced only after all checks of the whole file.
  const rejects = await openRejects(session, input.rejectsPath);
  let formatLines: readonly string[] | undefined;
  const records = readRecords(input.openStream(), input.format, {
    ...readOptions,
    onDetectedFormat(detected) {
      formatLines = describeFormat(detected, getLanguage());
    },
  });
  const importOptions = { tenant, survey, allowZeros, force, hasWallTimes: input.format === 'xlsx', stop };
  const results = importInvoices(session.ports, records, importOptions);
  const counts = new ImportCounts();
  const format = `{bar} {percentage}% | ${translate(opsTexts.importProgress)}`;
  const noCounts = { records: 0, rejected: 0 };
  const progress = options.json ? null : startProgress(session.host.stderr, format, input.totalBytes, noCounts);
  const failure = await recordResults(results, { counts, rejects }, () =>
    progress?.update(input.bytesRead(), { records: counts.countRecords(), rejected: counts.outcomes.rejected }),
  );
  progress?.stop();
  if (failure instanceof InputError) session.output.error(`${failure.message} ${translate(opsTexts.correctFile)}`);
  return rejects.report({
    lines: [...(formatLines ?? []), ...counts.describe()],
    isInterrupted: stop.aborted,
    document: { ...counts.toDocument(), read_as: formatLines },
    failure,
  });
}

/** Reads the options that describe a CSV or a workbook. Throws an OperatorError if they contradict the input. */
async function readFormatOptions(options: Options, { format, rejectsPath }: Input): Promise<FormatOptions> {
  const { map, decimal, dayFirst } = options;
  const hasOption = [map, decimal, dayFirst].some((option) => option !== undefined);
  if (format === 'ndjson' && hasOption) throw new OperatorError(translate(opsTexts.formatOptions));
  if (map !== undefined && (await isSameFile(map, rejectsPath))) {
    throw new OperatorError(translate(opsTexts.sameFile('--map', '--rejects')));
  }
  return {
    map: map === undefined ? undefined : readColumnMap(await readDocument(map)),
    decimal,
    isDayFirst: dayFirst,
  };
}

/** Reads the map of columns. Throws an OperatorError that lists the fields of all invalid lines. */
export function readColumnMap(document: unknown): NonNullable<FormatOptions['map']> {
  const lines: ColumnMapLine[] = Object.entries(document ?? {});
  if (lines.length > 0 && lines.every(isValidLine)) return lines;
  const invalidFields = lines.filter((line) => !isValidLine(line)).map(([field]) => field);
  const invalidList = invalidFields.join(', ') || translate(opsTexts.none);
  throw new OperatorError(translate(opsTexts.invalidMap(invalidList, IMPORT_FIELDS.join(', '))));
}

function isValidLine(line: ColumnMapLine): line is [field: string, heading: string] {
  const [field, heading] = line;
  return IMPORT_FIELDS.includes(field) && typeof heading === 'string' && heading.trim() !== '';
}

function requireReadable({ records, unreadable }: Survey): void {
  if (!unreadable || records > 0) return;
  throw new OperatorError(`${unreadable.message} ${translate(opsTexts.nothingImported)}`);
}

/** Throws an OperatorError unless a file has the control totals of --expect-records and --expect-total. */
function requireTotals({ records, total, unreadable }: Survey, { expectRecords, expectTotal }: Options): void {
  if (expectRecords === undefined && expectTotal === undefined) return;
  const errors: string[] = [];
  if (unreadable) errors.push(translate(opsTexts.totalsNeedFile(unreadable.message)));
  if (expectRecords !== undefined && Number(expectRecords) !== records) {
    errors.push(translate(opsTexts.otherRecords(expectRecords, records)));
  }
  const hasOtherTotal = expectTotal !== undefined && !total.eq(toDecimal(expectTotal.replace(',', '.')));
  if (hasOtherTotal) errors.push(translate(opsTexts.otherTotal(expectTotal, formatDecimal(total))));
  if (errors.length > 0) throw new OperatorError([...errors, translate(opsTexts.nothingImported)].join('\n'));
}

/** Counts the results of an import, and writes the rejected records. Returns the error that ended the import, or null. */
async function recordResults(
  results: ReturnType<typeof importInvoices>,
  { counts, rejects }: { readonly counts: ImportCounts; readonly rejects: Rejects },
  onBatch: () => void,
): Promise<unknown> {
  try {
    for await (const batch of results) {
      for (const { record, result } of batch) {
        counts.add(result);
        if (!result.errors) continue;
        rejects.add(result.errors);
        await rejects.write(buildRejectsLine(record, result.errors));
      }
      onBatch();
    }
    return null;
  } catch (error) {
    return error;
  }
}

/** Builds a line of the file of rejected records: `{"line":2,"reasons":["record: is not valid JSON"],"record":"x"}`. */
function buildRejectsLine({ line, source }: SourceRecord, errors: readonly string[]): string {
  // The source is JSON, too. Parsing it would change its numbers.
  const json = `{"line":${line},"reasons":${JSON.stringify(errors)},"record":${source}}`;
  return `${toPrintableJson(json)}\n`;
}
