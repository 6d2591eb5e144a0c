import { describeFormat } from '../../../lib/client/spreadsheets/describe-format.ts';
import { toPrintableJson } from '../../../lib/runtime/printable.ts';
import { startProgress } from '../../../lib/terminal/progress.ts';
import { defineCommand, dryRunOption, matching, runCommand, type Session, trapSignals } from '../command.ts';
import { zoneOption } from '../date-options.ts';
import { readTenant } from '../directory/read-directory.ts';
import { toDecimal } from '../input/decimal-text.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import { OperatorError } from '../operator-errors.ts';
import { formatDecimal, getLanguage, languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { dayFirstOption, decimalOption, mapOption, readFormatOptions } from './format-options.ts';
import { ImportCounts } from './import-counts.ts';
import { formatOption, type Input, openInput } from './import-files.ts';
import { importInvoices, type ImportOptions } from './import-invoices.ts';
import { type ReadOptions, readRecords, type SourceRecord } from './read-records.ts';
import { openRejects } from './rejects-file.ts';
import { type Survey, surveyRecords } from './survey-records.ts';

const command = defineCommand('import-invoices', {
  summary: 'Import the invoices of a tenant from a file. A second run of the same file changes nothing.',
  example: 'import-invoices infra/local/demo/invoices.ndjson --tenant demo.example --zone -03:00 --local',
})
  .argument('<file>', 'NDJSON, or CSV or .xlsx with a header; - reads standard input')
  .requiredOption('--tenant <tenant>', 'tenant of the invoices')
  .addOption(formatOption)
  .addOption(mapOption)
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

export const importInvoicesCommand = command.action((file, options) =>
  runCommand(options, async (session) => {
    const forceAuthor = await readForceAuthor(options, session.readIdentity);
    const stopSignal = trapSignals(session.host);
    await using input = await openInput(file, options, session.host.stdin, stopSignal);
    const formatOptions = await readFormatOptions(options, input);
    // The tenant is read only to throw an OperatorError if it does not exist.
    await readTenant(session.ports, options.tenant);

    // The input is read twice: first to compare its records with each other, then to import them.
    const readOptions = { ...formatOptions, zone: options.zone, stopSignal };
    const { survey, formatLines } = await surveyInput(input, options, readOptions);
    // After Ctrl-C, the survey is incomplete. The import then ends before its first record, and reports that.
    if (!stopSignal.aborted) requireTotals(survey, options);
    const { tenant, allowZeros } = options;
    const isWorkbook = input.format === 'xlsx';
    const importOptions = { tenant, survey, allowZeros, forceAuthor, isWorkbook, stopSignal };
    return await importInput(session, input, options, readOptions, importOptions, formatLines);
  }),
);

/** Reads the author of --force, which requires --reason. Throws an OperatorError if --reason or --by lacks --force. */
async function readForceAuthor({ force, reason, by }: Options, readIdentity: Session['readIdentity']) {
  if (!force && reason === undefined && by === undefined) return undefined;
  if (!force || reason === undefined) throw new OperatorError(translate(opsTexts.forceNeedsReason));
  return { reason: readText('--reason', reason), changedBy: await identifyAuthor(readIdentity, by) };
}

/** Compares all records of an input. The format lines describe a CSV or a workbook; NDJSON has none. */
async function surveyInput(input: Input, { allowZeros }: Options, readOptions: ReadOptions) {
  const formatLines: string[] = [];
  const records = readRecords(input.openStream(), input.format, {
    ...readOptions,
    onDetectedFormat: (detected) => void formatLines.push(...describeFormat(detected, getLanguage())),
  });
  return { survey: await surveyRecords(records, allowZeros), formatLines };
}

/** Throws an OperatorError unless a file has the control totals of --expect-records and --expect-total. */
function requireTotals({ records, total }: Survey, { expectRecords, expectTotal }: Options): void {
  const errors: string[] = [];
  if (expectRecords !== undefined && Number(expectRecords) !== records) {
    errors.push(translate(opsTexts.otherRecords(expectRecords, records)));
  }
  const hasOtherTotal = expectTotal !== undefined && !total.eq(toDecimal(expectTotal.replace(',', '.')));
  if (hasOtherTotal) errors.push(translate(opsTexts.otherTotal(expectTotal, formatDecimal(total))));
  if (errors.length > 0) throw new OperatorError(translate(opsTexts.nothingImported(errors.join('\n'))));
}

/** Imports the records of an input, and reports the results. */
async function importInput(
  session: Session,
  input: Input,
  { json }: Options,
  readOptions: ReadOptions,
  importOptions: ImportOptions,
  formatLines: readonly string[],
) {
  // The file is opened after all checks of the input, because it replaces an earlier file. `report` closes it.
  const rejects = await openRejects(session, input.rejectsPath);
  const records = readRecords(input.openStream(), input.format, readOptions);
  const batches = importInvoices(session.ports, records, importOptions);
  const counts = new ImportCounts();
  const progressFormat = `{bar} {percentage}% | ${translate(opsTexts.importProgress)}`;
  const progress = json ? null : startProgress(session.host.stderr, progressFormat, input.totalBytes);
  let failure: unknown;
  try {
    for await (const batch of batches) {
      for (const { record, result } of batch) {
        counts.add(result);
        if (!result.errors) continue;
        rejects.countRecord(record.line, result.errors);
        await rejects.write(buildRejectsLine(record, result.errors));
      }
      progress?.update(input.bytesRead());
    }
  } catch (error) {
    // `report` first prints the results before the error, and then throws it.
    failure = error;
  }
  progress?.stop();
  return rejects.report({
    lines: [...formatLines, ...counts.describe()],
    isInterrupted: importOptions.stopSignal?.aborted ?? false,
    document: { ...counts.toDocument(), read_as: formatLines.length > 0 ? formatLines : undefined },
    failure,
  });
}

/** Builds a line of the file of rejected records: `{"line":2,"reasons":["record: is not valid JSON"],"record":"x"}`. */
function buildRejectsLine({ line, source }: SourceRecord, errors: readonly string[]): string {
  // `source` is inserted without parsing, because it is already JSON, and parsing would change numbers such as 1.10.
  const json = `{"line":${line},"reasons":${JSON.stringify(errors)},"record":${source}}`;
  return `${toPrintableJson(json)}\n`;
}
