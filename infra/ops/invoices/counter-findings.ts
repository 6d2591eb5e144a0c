import type { RowsVerdict } from '../../../lib/admin/counters/verify-invoice-rows.ts';
import type { CounterDifference, MonthVerdict } from '../../../lib/admin/counters/verify-month.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { Output } from '../output.ts';

/** Whose rows or counters differ or are busy, as --json tells it. */
interface Owner {
  readonly tenant: string;
  readonly supplier_id: string;
}

/** A difference as --json tells it. */
type ReportedDifference = Owner & { readonly repaired: boolean } & (
    | {
        readonly kind: 'rows';
        readonly invoice_id: string;
        readonly rows: readonly { readonly fault: string; readonly list: string; readonly date: string }[];
      }
    | { readonly kind: 'fingerprint'; readonly day: string }
    | {
        readonly kind: 'counter';
        readonly day: string;
        readonly state_code: string;
        readonly counted: number;
        readonly stored: number;
      }
  );

/** What verify-counters has found so far; people hear of it at once. */
export class CounterFindings {
  invoices = 0;
  readonly differences: ReportedDifference[] = [];
  readonly busy: (Owner & ({ readonly invoice_id: string } | { readonly month: string }))[] = [];
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  addRows(scope: SupplierScope, invoiceId: string, verdict: RowsVerdict): void {
    if (verdict.kind === 'busy') {
      this.busy.push({ ...ownerOf(scope), invoice_id: invoiceId });
      this.#output.fault(
        `busy      ${nameOf(scope)}, invoice ${invoiceId}: kept being changed while its rows were read`,
      );
      return;
    }
    const { repaired, faults } = verdict;
    const rows = faults.map(({ kind, list, date }) => ({ fault: kind, list, date }));
    const told = rows.map(({ fault, list, date }) => `${fault} row of ${date} in ${list}`).join(', ');
    this.#tell(scope, repaired, `invoice ${invoiceId}: ${told}`);
    this.differences.push({ kind: 'rows', ...ownerOf(scope), invoice_id: invoiceId, rows, repaired });
  }

  addMonth(scope: SupplierScope, month: string, verdict: MonthVerdict): void {
    if (verdict.kind === 'busy') {
      this.busy.push({ ...ownerOf(scope), month });
      this.#output.fault(`busy      ${nameOf(scope)}, ${month}: kept being changed while it was counted`);
      return;
    }
    const { repaired } = verdict;
    this.invoices += verdict.invoices;
    for (const difference of verdict.differences) {
      this.#tell(scope, repaired, textOf(difference));
      this.differences.push({ ...toJson(difference), ...ownerOf(scope), repaired });
    }
  }

  #tell(scope: SupplierScope, repaired: boolean, text: string): void {
    this.#output.line(`${(repaired ? 'repaired' : 'differs').padEnd(8)}  ${nameOf(scope)}, ${text}`);
  }
}

function ownerOf({ tenant, supplierId }: SupplierScope): Owner {
  return { tenant, supplier_id: supplierId };
}

function nameOf({ tenant, supplierId }: SupplierScope): string {
  return `supplier ${supplierId} of ${tenant}`;
}

function textOf(difference: CounterDifference): string {
  if (difference.kind === 'fingerprint') return `${difference.day}: the fingerprint is not that of its invoices`;
  const { day, state, counted, stored } = difference;
  return `${day} ${state}: ${counted} counted, ${stored} stored`;
}

function toJson(difference: CounterDifference) {
  if (difference.kind === 'fingerprint') return difference;
  const { state, ...counter } = difference;
  return { ...counter, state_code: state };
}
