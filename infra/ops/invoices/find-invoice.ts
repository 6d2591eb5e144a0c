import { createDirectoryLists } from '../../../lib/storage/directory-lists.ts';
import { createInvoiceTable, type OwnedInvoice } from '../../../lib/storage/invoice-table.ts';
import { inLanes } from '../in-lanes.ts';
import { readTenant } from '../read-tenant.ts';
import type { DataTarget } from '../targets/target.ts';
import { UsageError } from '../usage-error.ts';

/** Which invoice is meant; without a supplier, the one of this id that the tenant has. */
export interface InvoiceName {
  readonly tenant: string;
  readonly invoiceId: string;
  readonly supplierId?: string | undefined;
}

const SUPPLIERS_PER_CALL = 100;
const PARALLEL_CALLS = 4;

/** Finds an invoice by asking for it under each of the tenant's suppliers; throws a UsageError unless there is exactly one. */
export async function findInvoice(
  { client, tables }: DataTarget,
  { tenant, invoiceId, supplierId }: InvoiceName,
): Promise<OwnedInvoice> {
  await readTenant({ client, tables }, tenant);
  const suppliers = supplierId
    ? [{ supplierId }]
    : await createDirectoryLists(client, tables.Directory).suppliers(tenant);
  const scopes = suppliers.map((supplier) => ({ tenant, supplierId: supplier.supplierId }));
  const parts = Array.from({ length: Math.ceil(scopes.length / SUPPLIERS_PER_CALL) }, (_, part) =>
    scopes.slice(part * SUPPLIERS_PER_CALL, (part + 1) * SUPPLIERS_PER_CALL),
  );
  const { getOfEach } = createInvoiceTable(client, tables.Invoices);
  const found: OwnedInvoice[] = [];
  await inLanes(parts, PARALLEL_CALLS, async (part) => void found.push(...(await getOfEach(part, invoiceId))));

  const [only, another] = found;
  if (only === undefined) {
    const owner = supplierId ? `supplier ${supplierId} of ${tenant}` : tenant;
    throw new UsageError(`There is no invoice ${invoiceId} of ${owner}.`);
  }
  if (another !== undefined) {
    const owners = found.map(({ scope }) => scope.supplierId).toSorted();
    throw new UsageError(
      `Several suppliers have an invoice ${invoiceId}: ${owners.join(', ')}. Name one: --supplier S.`,
    );
  }
  return only;
}
