import type { CsvCell } from '../../../lib/client/spreadsheets/write-csv.ts';
import { writeWorkbook } from '../../../lib/client/spreadsheets/write-workbook.ts';
import { toPrintable } from '../../../lib/runtime/printable.ts';
import { defineCommand, dryRunOption, type ExitCode, runCommand, type Session, trapSignals } from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { dayFirstOption, decimalOption, readFormatOptions } from '../import/format-options.ts';
import { formatOption, openInput } from '../import/import-files.ts';
import { describeRejectedLine, openRejects } from '../import/rejects-file.ts';
import { isAmount, toDecimal } from '../input/decimal-text.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { changeInvoices } from '../tables/change-invoices.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { INVOICE_LIST, type SheetColumn } from './invoice-list.ts';
import { type DecisionOutcome, planDecision } from './plan-decision.ts';
import { type DecidedRow, isDecided, readReviewSheet, type ReviewRow } from './review-sheet.ts';

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
  .option('--rejects <file>', 'write a workbook of the rejected rows to this file (default: FILE.rejected.xlsx)')
  .addOption(dryRunOption)
  .addOption(languageOption);

type Options = ReturnType<typeof command.opts>;

export const decideCommand = command.action((file, options) =>
  runCommand(options, (session) => applySheet(session, file, options)),
);

async function applySheet(session: Session, file: string, options: Options): Promise<ExitCode> {
  const { ports, readIdentity, host } = session;
  const { tenant } = options;
  const stop = trapSignals(host);
  const author = await identifyAuthor(readIdentity, options.by);
  const reason = options.reason === undefined ? undefined : readText('--reason', options.reason);
  await readTenant(ports, tenant);
  await using input = await openInput(file, options, host.stdin, stop, 'xlsx');
  const formatOptions = await readFormatOptions(options, input);
  const { rows, undecided, readAs } = await readReviewSheet(input, { reason, ...formatOptions, stopSignal: stop });

  const rejects = await openRejects(session, input.rejectsPath);
  const { counts, failure } = await applyDecisions(ports, tenant, rows, author, stop);
  // applyDecisions has added an error to each valid row that could not be applied.
  const rejectedRows = rows.filter((row) => !isDecided(row));
  for (const { line, errors } of rejectedRows) rejects.countRecord(line, errors);
  if (rejectedRows.length > 0) {
    await rejects.write(await writeWorkbook('Rejected', REJECTED_COLUMNS, rejectedRows.map(toCells)));
  }

  const rejected = rejectedRows.length;
  const countsLine = translate(opsTexts.decisionCounts(counts.decided, counts.unchanged, undecided, rejected));
  return rejects.report({
    lines: readAs === undefined ? [countsLine] : [readAs, countsLine],
    isInterrupted: stop.aborted,
    document: { ...counts, undecided, rejected, read_as: readAs },
    failure,
  });
}

/** Applies the valid rows. Adds an error to a row that is rejected. Returns a failure of the writes as `failure`. */
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

/** Converts a rejected row to the cells of a workbook: those of the review sheet, and its errors. */
function toCells({ line, row, errors }: ReviewRow): CsvCell[] {
  const cells = Object.entries(INVOICE_LIST.columns).map(([heading, { kind }]) => {
    const text = row[heading as SheetColumn];
    // Only NDJSON can contain other types, such as a Boolean.
    if (typeof text !== 'string') return null;
    return kind === 'amount' && isAmount(text) ? toDecimal(text) : toPrintable(text);
  });
  return [...cells, toPrintable(describeRejectedLine(line, errors))];
}
