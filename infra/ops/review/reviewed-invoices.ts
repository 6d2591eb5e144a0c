import { Presets, SingleBar } from 'cli-progress';
import { readCurrentRevisions } from '../tables/write-rows.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { toInvoiceRow } from '../../../lib/contracts/to-response.ts';
import { type DateRange, formatDay } from '../../../lib/domain/date-range.ts';
import type { InvoiceField } from '../../../lib/domain/invoice-fields.ts';
import type { InvoiceRow, SupplierScope } from '../../../lib/domain/invoice.ts';
import { type StateCode, DECISIONS } from '../../../lib/domain/invoice-states.ts';
import { toMonth } from '../../../lib/domain/list-entry.ts';
import { decimal, computeDifference, computeDifferencePct, type Decimal } from '../../../lib/domain/money.ts';
import type { Entity } from '../../../lib/domain/directory.ts';
import type { OutputStream } from '../../process/terminal.ts';
import { defineList, type ListColumn } from './write-sheet.ts';

/** An invoice with the data that the company needs to review it. */
export interface ReviewedInvoice extends InvoiceRow {
  /** The date by which lists are sorted (ISO 8601 UTC, milliseconds). */
  readonly sortDate: string;
  readonly supplierId: string;
  /** The time of the current declaration (ISO 8601 UTC), and the declared minus the system amount; null: there is none. */
  readonly declaredAt: string | null;
  readonly difference: Decimal | null;
}

const PARALLEL_SUPPLIERS = 8;
const PARALLEL_MONTHS = 16;

/**
 * Reads the invoices of a tenant, supplier by supplier and oldest first, month by month, and shows the progress on a
 * terminal unless it is null. Several months are read in parallel, and kept in memory. Throws an OperatorError if the
 * tenant or a supplier does not exist.
 */
export async function* readReviewedInvoices(
  ports: Pick<AdminPorts, 'records' | 'lists' | 'declarations'>,
  {
    tenant,
    supplierIds = [],
    range,
    state,
    declaredSinceMs,
  }: {
    readonly tenant: string;
    readonly supplierIds?: readonly string[];
    readonly range: DateRange;
    readonly state?: StateCode | undefined;
    readonly declaredSinceMs?: number | undefined;
  },
  terminal: OutputStream | null,
): AsyncGenerator<readonly ReviewedInvoice[], void> {
  const suppliers = await findSuppliers(ports, tenant, supplierIds);
  const format = '{bar} {value} of {total} suppliers | {invoices} invoices';
  const options = { format, clearOnComplete: true, gracefulExit: false };
  const bar = terminal && new SingleBar({ ...options, stream: terminal }, Presets.shades_classic);
  bar?.start(suppliers.length, 0, { invoices: 0 });
  const [firstMonth, lastMonth] = [toMonth(formatDay(range.startMs)), toMonth(formatDay(range.endMs))];
  async function findMonths({ supplierId }: Entity<'supplier'>) {
    const months = await ports.lists.months({ tenant, supplierId });
    return months
      .filter((month) => month >= firstMonth && month <= lastMonth)
      .map((month) => ({ scope: { tenant, supplierId }, month }));
  }
  async function* readMonths() {
    for await (const months of mapConcurrent(suppliers, PARALLEL_SUPPLIERS, findMonths)) {
      yield* months;
      bar?.increment();
    }
  }
  async function readInvoices({ scope, month }: { scope: SupplierScope; month: string }) {
    const invoices = await ports.lists.invoices(scope, month, range, state ?? null);
    const revisions = await readCurrentRevisions(ports.declarations, scope, invoices);
    const reviewed = invoices.map((invoice): ReviewedInvoice => {
      const { invoiceId, declaration, systemAmount } = invoice;
      const difference = declaration && computeDifference(declaration.amount, systemAmount);
      const declaredAt = revisions.get(invoiceId)?.declaredAt ?? null;
      return { ...invoice, supplierId: scope.supplierId, declaredAt, difference };
    });
    const isSelected = ({ declaredAt }: ReviewedInvoice) => Date.parse(declaredAt ?? '') >= Number(declaredSinceMs);
    return declaredSinceMs === undefined ? reviewed : reviewed.filter(isSelected);
  }
  try {
    let invoices = 0;
    for await (const page of mapConcurrent(readMonths(), PARALLEL_MONTHS, readInvoices)) {
      invoices += page.length;
      bar?.update({ invoices });
      yield page;
    }
  } finally {
    bar?.stop();
  }
}

/** The fields of an invoice that the sheet does not contain. A new field must be either here or a column. */
type OmittedField =
  'service_id' | 'service_call_date' | 'city' | 'state_name' | 'attachment_url' | 'attachment_filename';

/** The columns of the review sheet. The reviewer fills in the last two. */
const COLUMNS = {
  supplier_id: { title: 'supplier', toCell: ({ supplierId }) => supplierId },
  invoice_id: { title: 'invoice', toCell: ({ invoiceId }) => invoiceId },
  invoice_date: { title: 'date', kind: 'date', toCell: ({ invoiceDate }) => invoiceDate },
  service_number: { toCell: ({ serviceNumber }) => serviceNumber },
  account_name: { toCell: ({ accountName }) => accountName },
  system_amount: { title: 'system', kind: 'amount', toCell: ({ systemAmount }) => systemAmount },
  declared_amount: { title: 'declared', kind: 'amount', toCell: ({ declaration }) => declaration?.amount ?? null },
  declared_tax_pct: { title: 'tax %', kind: 'percentage', toCell: ({ declaration }) => declaration?.taxPct ?? null },
  difference: { title: 'difference', kind: 'amount', toCell: ({ difference }) => difference },
  difference_pct: {
    title: '%',
    kind: 'percentage',
    toCell: ({ difference, systemAmount }) => difference && computeDifferencePct(difference, systemAmount),
  },
  state_code: { title: 'state', toCell: ({ state }) => state },
  declared_at: { title: 'declared at', kind: 'date', toCell: ({ declaredAt }) => declaredAt },
  provider_invoice_number: { toCell: ({ providerInvoice }) => providerInvoice.number },
  provider_invoice_date: { kind: 'date', toCell: ({ providerInvoice }) => providerInvoice.date },
  declared_notes: { toCell: ({ declaration }) => declaration?.notes ?? null },
  declaration_id: { toCell: ({ declaration }) => declaration?.declarationId ?? null },
  revision: { title: 'revision', toCell: ({ declaration }) => declaration && decimal(declaration.revision) },
  decision: { isEditable: true, choices: DECISIONS, toCell: () => null },
  reason: { isEditable: true, width: 40, toCell: () => null },
} as const satisfies Record<Exclude<InvoiceField, OmittedField>, ListColumn<ReviewedInvoice>> &
  Record<string, ListColumn<ReviewedInvoice>>;

export type SheetColumn = keyof typeof COLUMNS;

export const INVOICE_LIST = defineList('Invoices', COLUMNS, (invoice: ReviewedInvoice) => ({
  supplier_id: invoice.supplierId,
  ...toInvoiceRow(invoice),
  declared_tax_pct: invoice.declaration?.taxPct?.toNumber() ?? null,
  revision: invoice.declaration?.revision ?? null,
  declared_at: invoice.declaredAt,
}));

/** Yields the result of a function for each item, in the order of the items; up to `most` calls run in parallel. */
export async function* mapConcurrent<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  most: number,
  convert: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const started: Promise<Result>[] = [];
  for await (const item of items) {
    const result = convert(item);
    // An error is thrown when the result is awaited, not earlier.
    result.catch(() => undefined);
    if (started.push(result) < most) continue;
    yield await (started.shift() as Promise<Result>);
  }
  yield* started;
}
