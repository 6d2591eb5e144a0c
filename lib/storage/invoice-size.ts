import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { withLargestDeclaration } from '../domain/largest-declaration.ts';
import { fromInvoice } from './invoice-items.ts';
import { itemBytes } from './item-size.ts';

/**
 * The bytes that an invoice could take with its declarations. It fits the table when they are at most MAX_ITEM_BYTES.
 */
export function declarableBytes(scope: SupplierScope, invoice: Invoice): number {
  const item = fromInvoice(scope, withLargestDeclaration(invoice));
  const { concepts: _, declared_outcome: _outcome, sort_date: _date, version: _version, ...indexed } = item;
  const { by_date, by_state, ...listed } = indexed;
  // The entries of an item in local indexes count as well.
  return itemBytes(item) + 2 * itemBytes(listed) + itemBytes({ by_date, by_state });
}
