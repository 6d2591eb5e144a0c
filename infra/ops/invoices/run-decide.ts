import { readTenant } from '../../../lib/admin/directory/find-suppliers.ts';
import { readRecords } from '../../../lib/admin/import/read-records.ts';
import { InputError } from '../../../lib/admin/import/source-record.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { decide, type DecisionOutcome } from '../../../lib/admin/review/decide.ts';
import { type Decision, DECISION_FORM, readDecision } from '../../../lib/admin/review/decision-record.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { describeFindings } from '../../../lib/spreadsheets/findings.ts';
import type { DecimalSign } from '../../../lib/spreadsheets/read-amount.ts';
import { CSV_DIALECTS, type CsvDialect } from '../../../lib/spreadsheets/write-csv.ts';
import { EXIT, type ExitCode, type Session, stopSignal } from '../command.ts';
import { FrequentReasons } from './frequent-reasons.ts';
import { openOutFile } from '../out-file.ts';
import type { Input } from './import-files.ts';
import { buildRejectedSheet, type RejectedRow } from './rejected-sheet.ts';
import { writeRejectsFile } from './rejects-file.ts';

/** What the command line says of decisions. */
export interface WantedDecisions {
  readonly tenant: string;
  /** Why, for rows that do not say it. */
  readonly reason: string | null;
  readonly decidedBy: string;
  readonly decimal: DecimalSign | undefined;
}

const SHOWN_REASONS = 3;

/** Takes the decisions of what was opened, and says what became of them. */
export async function runDecide(
  input: Input,
  { tenant, reason, decidedBy, decimal }: WantedDecisions,
  { ports, output, host, dryRun }: Session,
): Promise<ExitCode> {
  await readTenant(ports, tenant);
  const stop = stopSignal(host);
  const sheet = await readSheet(input, reason, decimal, stop);
  const rejects = dryRun ? null : await openOutFile(input.rejectsPath);
  const counts = { decided: 0, unchanged: 0, undecided: sheet.undecided, rejected: 0 };
  const rejected = [...sheet.rejected];
  const report = ({ line, row }: Decision, outcome: DecisionOutcome) => {
    if (typeof outcome === 'string') counts[outcome] += 1;
    else rejected.push({ line, row, faults: [outcome.fault] });
  };
  let failure: unknown = null;
  try {
    await decide(ports, sheet.decisions, { tenant, decidedBy, clock: systemClock, report, stop });
  } catch (error) {
    failure = error;
  }
  counts.rejected = rejected.length;
  const sheetFailure =
    rejects &&
    (await writeRejectsFile(
      rejects,
      input.rejectsPath,
      await buildRejectedSheet(rejected, input.rejectsPath, sheet.dialect),
    ));
  const file = rejected.length > 0 && !dryRun ? input.rejectsPath : null;
  const reasons = new FrequentReasons();
  for (const { faults } of rejected) reasons.add(faults);
  const frequent = reasons.top(SHOWN_REASONS);

  const { decided, unchanged, undecided } = counts;
  for (const line of sheet.understood) output.line(line);
  output.line(
    `${decided} decided, ${unchanged} unchanged, ${undecided} without a decision, ${rejected.length} rejected`,
  );
  if (sheetFailure) output.fault(sheetFailure);
  else if (file) output.line(`The rejected rows and the reasons are in ${file}`);
  for (const { reason: text, records } of frequent) output.line(`  ${records} × ${text}`);
  if (stop.aborted) output.line('Interrupted: run it again, and it goes on.');
  output.document({
    ...counts,
    interrupted: stop.aborted,
    rejects_file: file,
    ...(sheetFailure && { rejects_error: sheetFailure }),
    frequent_reasons: frequent,
    ...(sheet.understood.length > 0 && { read_as: sheet.understood }),
    ...(failure instanceof Error && { error: failure.message }),
  });
  if (failure) throw failure;
  if (sheetFailure) return EXIT.failed;
  if (stop.aborted) return EXIT.interrupted;
  return rejected.length > 0 ? EXIT.rejected : EXIT.done;
}

/** Reads the whole sheet: nothing of one that breaks off is decided. */
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
    onFindings(findings) {
      understood = describeFindings(findings, 'en').slice(0, 1);
      const isOfPrograms = 'separator' in findings.origin && findings.origin.separator === ',';
      dialect = isOfPrograms ? CSV_DIALECTS.csv : CSV_DIALECTS.excel;
    },
  });
  try {
    for await (const record of records) {
      const read = readDecision(record, reason);
      if (read === null) undecided += 1;
      else if ('faults' in read) rejected.push({ line: record.line, ...read });
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
    else rejected.push({ ...decision, faults: [`invoice_id: the invoice stands in the lines ${lines.join(', ')}`] });
  }
  return { decisions: single, rejected, undecided, understood, dialect };
}
