import { findSuppliers } from '../directory/read-directory.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { OwnedInvoice } from '../../../lib/storage/invoices/invoice-table.ts';
import { OperatorError } from '../operator-error.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';

/** A reference to an invoice; without a supplier, the id must be unique in the tenant. */
export interface InvoiceRef {
  readonly tenant: string;
  readonly invoiceId: string;
  readonly supplierId?: string | undefined;
}

/** Finds an invoice by a read for each supplier of the tenant. Throws an OperatorError unless exactly one exists. */
export async function findInvoice(
  { records, invoices }: Pick<AdminPorts, 'records' | 'invoices'>,
  { tenant, invoiceId, supplierId }: InvoiceRef,
): Promise<OwnedInvoice> {
  if (!/^\d+$/.test(invoiceId) || invoiceId.length > LIMITS.idDigits) {
    throw new OperatorError(`An invoice id must have 1 to ${LIMITS.idDigits} digits.`);
  }
  const suppliers = await findSuppliers({ records }, tenant, supplierId);
  const scopes = suppliers.map((supplier) => ({ tenant, supplierId: supplier.supplierId }));
  const found = await invoices.getOfEach(scopes, invoiceId);

  const [only, second] = found;
  if (only === undefined) {
    const owner = supplierId ? `supplier ${supplierId} of ${tenant}` : tenant;
    throw new OperatorError(`Invoice ${invoiceId} of ${owner} does not exist.`);
  }
  if (second !== undefined) {
    const owners = found.map(({ scope }) => scope.supplierId).toSorted();
    throw new OperatorError(`Several suppliers have an invoice ${invoiceId}: ${owners.join(', ')}. Pass --supplier S.`);
  }
  return only;
}
