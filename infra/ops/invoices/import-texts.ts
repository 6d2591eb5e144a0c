import type { ImportCounts } from '../../../lib/admin/import/import-counts.ts';
import type { Survey } from '../../../lib/admin/import/survey-records.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import type { Decimal } from '../../../lib/domain/money.ts';
import { counted } from '../counted.ts';

/** The control totals that a file must have; undefined: any. */
export interface ControlTotals {
  readonly records: number | undefined;
  readonly total: Decimal | undefined;
}

/** Throws an OperatorError if a file does not have the control totals that are expected of it. */
export function requireTotals({ records, total, unreadable }: Survey, expected: ControlTotals): void {
  if (expected.records === undefined && expected.total === undefined) return;
  const faults: string[] = [];
  if (unreadable) faults.push(`${unreadable.message} The control totals need the whole file.`);
  if (expected.records !== undefined && expected.records !== records) {
    faults.push(`--expect-records: expected ${expected.records}, but the file has ${counted(records, 'record')}.`);
  }
  if (expected.total && !expected.total.eq(total)) {
    faults.push(
      `--expect-total: expected ${expected.total.toFixed()}, but system_amount adds up to ${total.toFixed()}.`,
    );
  }
  if (faults.length > 0) throw new OperatorError([...faults, 'Nothing was imported.'].join('\n'));
}

/** Describes in lines what became of the records. */
export function countLines(counts: Readonly<ImportCounts>): string[] {
  const { created, changed, unchanged, rejected, repeated, amounts, statesKept, firstStatesKept } = counts;
  const lines = [`${created} created, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected`];
  if (repeated > 0) lines.push(`${counted(repeated, 'repetition')} of equal records left out`);
  if (amounts.count > 0) {
    const { count, before, after, absolute } = amounts;
    const net = after.minus(before);
    const sums = `${before.toFixed()} → ${after.toFixed()} in total`;
    const differences = `net ${net.gt(0) ? '+' : ''}${net.toFixed()}, absolute ${absolute.toFixed()}`;
    lines.push(`${counted(count, 'system amount')} changed: ${sums} (${differences})`);
  }
  if (statesKept > 0) {
    const first = firstStatesKept.map(({ invoiceId, named, kept }) => `${invoiceId}: ${named}, stays ${kept}`);
    const names = [...first, ...(statesKept > first.length ? ['…'] : [])].join('; ');
    const states = `${counted(statesKept, 'state')} not taken over: the supplier has declared (${names})`;
    lines.push(`${states}; decide moves them`);
  }
  return lines;
}

/** Converts the counts to JSON. */
export function countsDocument({ statesKept, firstStatesKept, amounts, ...records }: Readonly<ImportCounts>): object {
  const first = firstStatesKept.map(({ supplierId, invoiceId, named, kept }) => {
    return { supplier_id: supplierId, invoice_id: invoiceId, state_code: named, stays: kept };
  });
  return {
    ...records,
    system_amounts_changed: {
      count: amounts.count,
      before: amounts.before.toNumber(),
      after: amounts.after.toNumber(),
      absolute: amounts.absolute.toNumber(),
    },
    states_not_taken_over: { count: statesKept, first },
  };
}
