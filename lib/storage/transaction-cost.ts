import type { SupplierScope } from '../domain/invoice.ts';
import type { TransactionCost, TransactionLimits } from '../services/into-transactions.ts';
import { countedMonths } from './day-counters.ts';
import { fromRevision } from './declaration-items.ts';
import { fromInvoice } from './invoice-items.ts';
import { fromStateChange } from './invoice-state-changes.ts';
import type { InvoiceChange } from './invoice-transaction.ts';
import { itemBytes } from './item-size.ts';

/** What one transaction of DynamoDB may hold; a month's counters are at most 217, of 11 bytes each, and their key. */
export const TRANSACTION_LIMITS: TransactionLimits = { writes: 100, bytes: 4 * 1024 * 1024, monthBytes: 3000 };

/** What the change of an invoice, with its histories, takes of a transaction. */
export function costOfChange(scope: SupplierScope, change: InvoiceChange): TransactionCost {
  const items = [
    fromInvoice(scope, change.after),
    ...change.revisions.map((revision) => fromRevision(scope, revision)),
    ...(change.stateChange ? [fromStateChange(scope, change.stateChange)] : []),
  ];
  return {
    writes: items.length,
    bytes: items.reduce((sum, item) => sum + itemBytes(item), 0),
    months: countedMonths(change),
  };
}
