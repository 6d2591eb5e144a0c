import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import { buildSearchText, parseOwnNumber } from '../../../lib/domain/list-entry.ts';
import { computeDifference, type Decimal } from '../../../lib/domain/money.ts';
import { splitIntoChunks } from '../../../lib/runtime/pages.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';

/** An invoice with the data that the company needs to review it. */
export interface ReviewedInvoice extends Invoice {
  readonly supplierId: string;
  /** The declared minus the system amount; null if the invoice has no declaration. */
  readonly difference: Decimal | null;
  /**
   * The ids of the supplier's listed invoices with the same own invoice number, oldest first, including this invoice
   * unless it is withdrawn. Empty if no other invoice has the number, or without `hasSameNumbers`.
   */
  readonly sameNumberIds: readonly string[];
}

interface InvoiceFilter {
  readonly tenant: string;
  /** The supplier to list. Without an id, all suppliers are listed. */
  readonly supplierId?: string | undefined;
  readonly range: DateRange;
  readonly state?: StateCode | undefined;
  /** True if only withdrawn invoices are listed; otherwise, only the others are listed. */
  readonly isWithdrawn?: boolean | undefined;
  /** True if the own invoice numbers are compared, which reads the list entries of all invoices of each supplier. */
  readonly hasSameNumbers?: boolean | undefined;
}

type IdsByNumber = ReadonlyMap<string, readonly string[]>;

const PARALLEL_SUPPLIERS = 8;
const NO_NUMBERS: IdsByNumber = new Map();

/** Yields invoices by supplier, oldest first. Throws an OperatorError for an unknown tenant or supplier. */
export async function* readReviewedInvoices(
  ports: Pick<AdminPorts, 'records' | 'invoices'>,
  filter: InvoiceFilter,
): AsyncGenerator<ReviewedInvoice[]> {
  const suppliers = await findSuppliers(ports, filter.tenant, filter.supplierId);
  for (const chunk of splitIntoChunks(suppliers, PARALLEL_SUPPLIERS)) {
    const readers = chunk.map((scope) => startReading(ports.invoices, scope, filter));
    for (const { supplierId, pages, firstReads } of readers) {
      const [firstPage, idsByNumber] = await firstReads;
      for (let page = firstPage; !page.done; page = await pages.next()) {
        const selectedInvoices = page.value.filter((invoice) => isSelected(invoice, filter));
        yield selectedInvoices.map((invoice) => addReviewData(supplierId, invoice, idsByNumber));
      }
    }
  }
}

/** Starts the first reads of a supplier, so that the suppliers, which usually have one page, are read in parallel. */
function startReading(invoices: AdminPorts['invoices'], scope: SupplierScope, filter: InvoiceFilter) {
  const pages = filter.isWithdrawn ? invoices.readWithdrawn(scope) : invoices.readRange(scope, filter.range);
  const idsByNumber = filter.hasSameNumbers ? invoices.readIdsByNumber(scope) : NO_NUMBERS;
  const firstReads = Promise.all([pages.next(), idsByNumber]);
  // If the reads of an earlier supplier fail, these reads are never awaited, and their failure must not end the process.
  firstReads.catch(() => undefined);
  return { supplierId: scope.supplierId, pages, firstReads };
}

/** True if a filter selects an invoice. The dates of withdrawn invoices are compared only here. */
function isSelected({ sortDate, state }: Invoice, { range, state: selectedState }: InvoiceFilter): boolean {
  const dateMs = Date.parse(sortDate);
  if (dateMs < range.startMs || dateMs > range.endMs) return false;
  return selectedState === undefined || state === selectedState;
}

function addReviewData(supplierId: string, invoice: Invoice, idsByNumber: IdsByNumber): ReviewedInvoice {
  const { declaration, systemAmount, invoiceId } = invoice;
  const difference = declaration && computeDifference(declaration.amount, systemAmount);
  const ownNumber = parseOwnNumber(buildSearchText(invoice));
  const ids = idsByNumber.get(ownNumber) ?? [];
  const isRepeated = ids.some((id) => id !== invoiceId);
  return { ...invoice, supplierId, difference, sameNumberIds: isRepeated ? ids : [] };
}
