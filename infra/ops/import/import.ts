import { describeFormat } from '../../../lib/client/spreadsheets/describe-format.ts';
import type { Author } from '../../../lib/domain/invoice-change.ts';
import { toPrintableJson } from '../../../lib/runtime/printable.ts';
import { startProgress } from '../../../lib/terminal/progress.ts';
import { defineCommand, dryRunOption, matching, runCommand, type Session, stopSignal } from '../command.ts';
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
import { type ImportedRecord, importInvoices } from './import-invoices.ts';
import { readRecords, type SourceRecord } from './read-records.ts';
import { openRejects, type Rejects } from './rejects-file.ts';
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
    const force = await readForce(options, session.operator);
    const stop = stopSignal(session.host);
    await using input = await openInput(file, options, session.host.stdin, stop);
    return await runImport(session, input, options, force, stop);
  }),
);

/** Reads the author and reason of --force. Throws an OperatorError if --force or --reason is passed without the other. */
async function readForce({ force, reason, by }: Options, operator: Session['operator']): Promise<Author | undefined> {
  if (!force && reason === undefined && by === undefined) return undefined;
  if (!force || reason === undefined) throw new OperatorError(translate(opsTexts.forceNeedsReason));
  return { reason: readText('--reason', reason), changedBy: await identifyAuthor(operator, by) };
}

/** Imports an input. Reads it twice: first to compare its records with each other, then to import them. */
async function runImport(
  session: Session,
  input: Input,
  options: Options,
  force: Author | undefined,
  stop: AbortSignal,
) {
  const { tenant, zone, allowZeros } = options;
  const readOptions = { ...(await readFormatOptions(options, input)), zone, signal: stop };
  await readTenant(session.ports, tenant);
  let formatLines: readonly string[] | undefined;
  const surveyedRecords = readRecords(input.openStream(), input.format, {
    ...readOptions,
    onDetectedFormat(detected) {
      formatLines = describeFormat(detected, getLanguage());
    },
  });
  const survey = await surveyRecords(surveyedRecords, allowZeros);
  if (!stop.aborted) requireTotals(survey, options);

  // The rejects of an earlier run are replaced only after all checks of the whole file.
  const rejects = await openRejects(session, input.rejectsPath);
  const records = readRecords(input.openStream(), input.format, readOptions);
  const importOptions = { tenant, survey, allowZeros, force, hasWallTimes: input.format === 'xlsx', stop };
  const batches = importInvoices(session.ports, records, importOptions);
  const counts = new ImportCounts();
  const progressFormat = `{bar} {percentage}% | ${translate(opsTexts.importProgress)}`;
  const progress = options.json ? null : startProgress(session.host.stderr, progressFormat, input.totalBytes);
  const failure = await recordResults(batches, counts, rejects, () => progress?.update(input.bytesRead()));
  progress?.stop();
  return rejects.report({
    lines: [...(formatLines ?? []), ...counts.describe()],
    isInterrupted: stop.aborted,
    document: { ...counts.toDocument(), read_as: formatLines },
    failure,
  });
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

/** Counts the results of an import, and writes the rejected records. Returns the error that ended the import, or null. */
async function recordResults(
  batches: AsyncIterable<readonly ImportedRecord[]>,
  counts: ImportCounts,
  rejects: Rejects,
  showProgress: () => void,
): Promise<unknown> {
  try {
    for await (const batch of batches) {
      for (const { record, result } of batch) {
        counts.add(result);
        if (!result.errors) continue;
        rejects.add(record.line, result.errors);
        await rejects.write(buildRejectsLine(record, result.errors));
      }
      showProgress();
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
