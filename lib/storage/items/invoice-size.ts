import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import { withLargestDeclaration } from '../../domain/largest-declaration.ts';
import { itemBytes } from '../dynamodb/item-size.ts';
import { fromInvoice } from './invoice-items.ts';
import { rowsOf } from './invoice-row-items.ts';

/**
 * The bytes that the largest item of an invoice could take with its declarations. It fits the table when they are at
 * most MAX_ITEM_BYTES.
 */
export function declarableBytes(scope: SupplierScope, invoice: Invoice): number {
  const declared = withLargestDeclaration(invoice);
  const items = [fromInvoice(scope, declared), ...rowsOf(scope, declared)];
  return Math.max(...items.map(itemBytes));
}
