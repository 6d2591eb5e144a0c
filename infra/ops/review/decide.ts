import { extname } from 'node:path';
import { type CsvCell, formatCsvLine } from '../../../lib/client/spreadsheets/write-csv.ts';
import { writeWorkbook } from '../../../lib/client/spreadsheets/write-workbook.ts';
import { toPrintable } from '../../../lib/runtime/printable.ts';
import { defineCommand, dryRunOption, type ExitCode, runCommand, type Session, stopSignal } from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { dayFirstOption, decimalOption, formatOption, openInput } from '../import/import-files.ts';
import { openRejects } from '../import/rejects-file.ts';
import { isAmount, toDecimal } from '../input/decimal-text.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { changeInvoices } from '../tables/change-invoices.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { INVOICE_LIST, type SheetColumn } from './invoice-list.ts';
import { type DecisionOutcome, planDecision } from './plan-decision.ts';
import { type DecidedRow, isDecided, type ReviewRow } from './review-row.ts';
import { readReviewSheet } from './review-sheet.ts';

const REJECTED_COLUMNS = { ...INVOICE_LIST.columns, rejected: { width: 60 } };

const command = defineCommand('decide', {
  summary:
    'Apply the decisions in a review sheet. A decision is rejected if its invoice has changed since the sheet was ' +
    'exported.',
  example: 'decide infra/ops/guides/sample-review.csv --tenant demo.example --local',
})
  .argument(
    '<file>',
    'review sheet of list-invoices (CSV or .xlsx), or NDJSON with the same fields; - reads standard input',
  )
  .requiredOption('--tenant <tenant>', 'tenant of the invoices')
  .option('--reason <text>', 'reason for the rows that have no reason')
  .addOption(byOption)
  .addOption(formatOption)
  .addOption(decimalOption)
  .addOption(dayFirstOption)
  .option(
    '--rejects <file>',
    'file of the rejected rows (default: FILE.rejected.xlsx for an .xlsx, otherwise FILE.rejected.csv)',
  )
  .addOption(dryRunOption)
  .addOption(languageOption);

type Options = ReturnType<typeof command.opts>;

export const decideCommand = command.action((file, options) =>
  runCommand(options, (session) => applySheet(session, file, options)),
);

async function applySheet(session: Session, file: string, options: Options): Promise<ExitCode> {
  const { ports, operator, host } = session;
  const { tenant, decimal, dayFirst } = options;
  const stop = stopSignal(host);
  const author = await identifyAuthor(operator, options.by);
  const reason = options.reason === undefined ? undefined : readText('--reason', options.reason);
  await readTenant(ports, tenant);
  const getRejectsExtension = (format: string) => (format === 'xlsx' ? 'xlsx' : 'csv');
  await using input = await openInput(file, options, host.stdin, stop, getRejectsExtension);
  const { rows, undecided, readAs } = await readReviewSheet(input, {
    reason,
    decimal,
    isDayFirst: dayFirst,
    signal: stop,
  });

  const rejects = await openRejects(session, input.rejectsPath);
  const { counts, failure } = await applyDecisions(ports, tenant, rows, author, stop);
  // Each decision that could not be applied has an error now.
  const rejectedRows = rows.filter((row) => !isDecided(row));
  for (const { errors } of rejectedRows) rejects.add(errors);
  await rejects.write(await buildRejectedSheet(rejectedRows, input.rejectsPath));

  const rejected = rejectedRows.length;
  const countsLine = translate(opsTexts.decisionCounts(counts.decided, counts.unchanged, undecided, rejected));
  return rejects.report({
    lines: [...readAs, countsLine],
    isInterrupted: stop.aborted,
    document: { ...counts, undecided, rejected, read_as: readAs.length > 0 ? readAs : undefined },
    failure,
  });
}

/** Applies the valid decisions, and adds an error to each row that is rejected. Catches a failure of the writes. */
async function applyDecisions(ports: AdminPorts, tenant: string, rows: ReviewRow[], author: string, stop: AbortSignal) {
  const counts = { decided: 0, unchanged: 0 };
  let failure: unknown;
  try {
    await changeInvoices<DecidedRow, DecisionOutcome>(ports, rows.filter(isDecided), {
      tenant,
      getKey: ({ row }) => ({ supplierId: row.supplier_id, invoiceId: row.invoice_id }),
      plan: (row, current) => planDecision(row, current, author),
      report({ errors }, outcome) {
        if (typeof outcome === 'string') counts[outcome] += 1;
        else errors.push(outcome.error);
      },
      stop,
    });
  } catch (error) {
    failure = error;
  }
  return { counts, failure };
}

/** Builds the sheet of rejected rows with a column of errors: a workbook if the path ends with .xlsx, else a CSV. */
async function buildRejectedSheet(rejectedRows: readonly ReviewRow[], path: string) {
  if (rejectedRows.length === 0) return '';
  const rows = rejectedRows.map(toCells);
  if (extname(path).toLowerCase() === '.xlsx') return writeWorkbook('Rejected', REJECTED_COLUMNS, rows);
  return [Object.keys(REJECTED_COLUMNS), ...rows].map(formatCsvLine).join('');
}

function toCells({ line, row, errors }: ReviewRow): CsvCell[] {
  const cells = Object.entries(INVOICE_LIST.columns).map(([heading, { kind }]) => {
    const text = row[heading as SheetColumn];
    // Only NDJSON can contain other types, such as a Boolean.
    if (typeof text !== 'string') return null;
    return kind === 'amount' && isAmount(text) ? toDecimal(text) : toPrintable(text);
  });
  return [...cells, toPrintable(translate(opsTexts.rejectedLine(line, errors.join('; '))))];
}
