import { findSuppliers } from '../directory/find-suppliers.ts';
import { inPool } from '../../runtime/pool.ts';
import type { AdminPorts, OwnedInvoice } from '../ports/admin-ports.ts';
import { OperatorError } from '../operator-error.ts';

/** Which invoice is meant; without a supplier, the one of this id that the tenant has. */
export interface InvoiceName {
  readonly tenant: string;
  readonly invoiceId: string;
  readonly supplierId?: string | undefined;
}

const SUPPLIERS_PER_CALL = 100;
const PARALLEL_CALLS = 4;

/**
 * Finds an invoice by asking for it under each of the tenant's suppliers; throws an OperatorError unless there is
 * exactly one.
 */
export async function findInvoice(
  { records, invoices }: Pick<AdminPorts, 'records' | 'invoices'>,
  { tenant, invoiceId, supplierId }: InvoiceName,
): Promise<OwnedInvoice> {
  if (!/^\d{1,20}$/.test(invoiceId)) throw new OperatorError('The id of an invoice has 1 to 20 digits.');
  const suppliers = await findSuppliers({ records }, tenant, supplierId);
  const scopes = suppliers.map((supplier) => ({ tenant, supplierId: supplier.supplierId }));
  const parts = Array.from({ length: Math.ceil(scopes.length / SUPPLIERS_PER_CALL) }, (_, part) =>
    scopes.slice(part * SUPPLIERS_PER_CALL, (part + 1) * SUPPLIERS_PER_CALL),
  );
  const found: OwnedInvoice[] = [];
  await inPool(parts, PARALLEL_CALLS, async (part) => void found.push(...(await invoices.getOfEach(part, invoiceId))));

  const [only, another] = found;
  if (only === undefined) {
    const owner = supplierId ? `supplier ${supplierId} of ${tenant}` : tenant;
    throw new OperatorError(`There is no invoice ${invoiceId} of ${owner}.`);
  }
  if (another !== undefined) {
    const owners = found.map(({ scope }) => scope.supplierId).toSorted();
    throw new OperatorError(
      `Several suppliers have an invoice ${invoiceId}: ${owners.join(', ')}. Name one: --supplier S.`,
    );
  }
  return only;
}
