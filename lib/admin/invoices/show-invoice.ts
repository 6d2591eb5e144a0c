import type { Tolerance } from '../../domain/tolerance.ts';
import type { AdminPorts, OwnedInvoice } from '../ports/admin-ports.ts';
import { OperatorError } from '../operator-error.ts';
import { createToleranceFinder } from '../tolerances/find-tolerances.ts';
import { findInvoice, type InvoiceName } from './find-invoice.ts';

/** An invoice, and the tolerance in force for it. */
export async function showInvoice(
  ports: Pick<AdminPorts, 'records' | 'invoices'>,
  name: InvoiceName,
): Promise<OwnedInvoice & { readonly tolerance: Tolerance }> {
  const found = await findInvoice(ports, name);
  const { tenant, supplierId } = found.scope;
  const findTolerances = await createToleranceFinder(ports, tenant);
  const tolerance = (await findTolerances([supplierId])).get(supplierId);
  if (!tolerance) throw new OperatorError(`There is no supplier ${supplierId} in ${tenant}.`);
  return { ...found, tolerance };
}
