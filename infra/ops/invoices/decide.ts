import { extname } from 'node:path';
import { readTenant } from '../../../lib/admin/directory/lists.ts';
import { type Format, readRecords } from '../../../lib/admin/import/read-records.ts';
import { InputError } from '../../../lib/admin/import/source-record.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { decide, type DecisionOutcome } from './apply-decisions.ts';
import { type Decision, DECISION_FORM, readDecision, type SheetRow } from './decision-record.ts';
import { SHEET, SHEET_COLUMNS, type SheetColumn } from './review-sheet.ts';
import { isAmount, toDecimal } from '../../../lib/domain/decimal-text.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { printable } from '../../../lib/runtime/printable.ts';
import { describeFormat } from '../../../lib/spreadsheets/detected-format.ts';
import type { DecimalSign } from '../../../lib/spreadsheets/read-amount.ts';
import { CSV_DIALECTS, type CsvCell, type CsvDialect, csvLine } from '../../../lib/spreadsheets/write-csv.ts';
import { writeWorkbook } from '../../../lib/spreadsheets/write-workbook.ts';
import { defineCommand, dryRunOption, type ExitCode, runCommand, type Session, stopSignal } from '../command.ts';
import { byOption, identifyAuthor, readText } from './invoice-options.ts';
import { decimalOption, formatOption, type Input, openInput } from './import-files.ts';
import { RejectedRecords } from './rejects-file.ts';
import { INVOICE_LIST } from './write-sheet.ts';

/** `decide`: applies the decisions of a review sheet. */
export const decideCommand = defineCommand('decide', {
  summary:
    'Apply the decisions in a review sheet. A decision is rejected if the supplier has declared again since the ' +
    'sheet was exported.',
  example: 'decide infra/ops/invoices/sample-review.csv --tenant demo.example --local',
})
  .argument('<file>', 'the sheet of list-invoices (CSV or .xlsx), or NDJSON with its columns; - reads standard input')
  .requiredOption('--tenant <tenant>', 'tenant of the invoices')
  .option('--reason <text>', 'reason of the rows without one')
  .addOption(byOption)
  .addOption(formatOption)
  .addOption(decimalOption)
  .option('--rejects <file>', 'file of the rejected rows (default: FILE.rejected.xlsx for a workbook, else .csv)')
  .addOption(dryRunOption)
  .action((file, { tenant, reason, by, decimal, ...options }) =>
    runCommand(options, async (session) => {
      const stop = stopSignal(session.host);
      const toEnding = (format: Format) => (format === 'xlsx' ? 'xlsx' : 'csv');
      const input = await openInput(file, options, session.host.stdin, stop, toEnding);
      try {
        const decidedBy = await identifyAuthor(session.operator, by);
        const why = reason === undefined ? null : readText('--reason', reason);
        await readTenant(session.ports, tenant);
        const sheet = await readSheet(input, why, decimal, stop);
        return await applySheet(sheet, input.rejectsPath, { tenant, decidedBy, stop }, session);
      } finally {
        await input.close();
      }
    }),
  );

/** Applies the decisions of a sheet, and prints the result of each kind of row. */
async function applySheet(
  sheet: Awaited<ReturnType<typeof readSheet>>,
  rejectsPath: string,
  { tenant, decidedBy, stop }: { readonly tenant: string; readonly decidedBy: string; readonly stop: AbortSignal },
  { ports, output, dryRun }: Session,
): Promise<ExitCode> {
  const rejects = await RejectedRecords.open(rejectsPath, { dryRun, continues: false });
  const counts = { decided: 0, unchanged: 0 };
  const rejected = [...sheet.rejected];
  const report = ({ line, row }: Decision, outcome: DecisionOutcome) => {
    if (typeof outcome === 'string') counts[outcome] += 1;
    else rejected.push({ line, row, errors: [outcome.error] });
  };
  let failure: unknown = null;
  try {
    await decide(ports, sheet.decisions, { tenant, decidedBy, clock: systemClock, report, stop });
  } catch (error) {
    failure = error;
  }
  for (const { errors } of rejected) rejects.add(errors);
  await rejects.write(await buildRejectedSheet(rejected, rejectsPath, sheet.dialect));
  await rejects.close();
  const { decided, unchanged } = counts;
  const { undecided, understood } = sheet;
  const others = `${undecided} without a decision, ${rejected.length} rejected`;
  const code = rejects.report(output, {
    lines: [...understood, `${decided} decided, ${unchanged} unchanged, ${others}`],
    interruption: stop.aborted ? 'Interrupted. To continue, run the command again.' : null,
    document: {
      ...{ ...counts, undecided, rejected: rejected.length },
      ...(understood.length > 0 && { read_as: understood }),
      ...(failure instanceof Error && { error: failure.message }),
    },
  });
  if (failure) throw failure;
  return code;
}

/** Reads a whole sheet; throws an OperatorError if a part of it cannot be read. */
async function readSheet(input: Input, reason: string | null, decimal: DecimalSign | undefined, signal: AbortSignal) {
  const decisions: Decision[] = [];
  const rejected: RejectedRow[] = [];
  let undecided = 0;
  let understood: readonly string[] = [];
  let dialect: CsvDialect = CSV_DIALECTS.csv;
  const records = readRecords(input.openStream(), input.format, {
    form: DECISION_FORM,
    decimal,
    signal,
    onDetectedFormat(detected) {
      understood = describeFormat(detected, 'en').slice(0, 1);
      const isOfPrograms = 'separator' in detected.origin && detected.origin.separator === ',';
      dialect = isOfPrograms ? CSV_DIALECTS.csv : CSV_DIALECTS.excel;
    },
  });
  try {
    for await (const record of records) {
      const read = readDecision(record, reason);
      if (read === null) undecided += 1;
      else if ('errors' in read) rejected.push({ line: record.line, ...read });
      else decisions.push(read);
    }
  } catch (error) {
    if (error instanceof InputError) throw new OperatorError(`${error.message} Nothing was decided.`);
    throw error;
  }
  const rows = [...decisions, ...rejected];
  const ofInvoice = Map.groupBy(rows, ({ row }) => `${row.supplier_id} ${row.invoice_id}`);
  const single: Decision[] = [];
  for (const decision of decisions) {
    const same = ofInvoice.get(`${decision.supplierId} ${decision.invoiceId}`) ?? [];
    const lines = same.map(({ line }) => line).toSorted((a, b) => a - b);
    if (same.length === 1) single.push(decision);
    else rejected.push({ ...decision, errors: [`invoice_id: several lines contain the invoice: ${lines.join(', ')}`] });
  }
  return { decisions: single, rejected, undecided, understood, dialect };
}

/** A row of a reviewed sheet that is rejected, and why. */
interface RejectedRow {
  readonly line: number;
  readonly row: SheetRow;
  readonly errors: readonly string[];
}

/**
 * Builds the sheet of rejected rows, with the reasons in a column of its own: a workbook if the path ends with .xlsx,
 * and else a CSV. It is empty if there are no rows.
 */
async function buildRejectedSheet(
  rejected: readonly RejectedRow[],
  path: string,
  dialect: CsvDialect,
): Promise<string | Buffer> {
  if (rejected.length === 0) return '';
  const columns = [...INVOICE_LIST.columns, { heading: 'rejected', kind: 'text', width: 60 } as const];
  const rows = rejected
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, row, errors }) => [
      ...SHEET_COLUMNS.map((column) => toCell(row[column], column)),
      printable(`line ${line}: ${errors.join('; ')}`),
    ]);
  if (extname(path).toLowerCase() === '.xlsx') return writeWorkbook('Rejected', columns, rows);
  const lines = [columns.map(({ heading }) => heading), ...rows].map((cells) => csvLine(cells, dialect));
  return dialect.mark + lines.join('');
}

function toCell(cell: string | null | undefined, column: SheetColumn): CsvCell {
  if (typeof cell !== 'string') return null;
  return SHEET[column].kind === 'amount' && isAmount(cell) ? toDecimal(cell) : printable(cell);
}
