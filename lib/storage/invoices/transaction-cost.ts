import type { SupplierScope } from '../../domain/invoice.ts';
import type { InvoiceChange, TransactionCost, TransactionLimits } from '../../services/transactions.ts';
import { itemBytes } from '../dynamodb/item-size.ts';
import { countedMonths } from '../items/day-counters.ts';
import { fromRevision } from '../items/declaration-items.ts';
import { fromInvoice } from '../items/invoice-items.ts';
import { rowsLeft, rowsOf } from '../items/invoice-row-items.ts';
import { requestPartition } from '../items/keys.ts';
import { fromStateChange } from '../items/state-change-items.ts';

/**
 * What one transaction of DynamoDB may hold. A month has at most 217 counters of 11 bytes each, 31 fingerprints of 15,
 * and their key; what a request names takes no more than 100 times 32 bytes, and its key.
 */
export const TRANSACTION_LIMITS: TransactionLimits = { writes: 100, bytes: 4 * 1024 * 1024, sharedBytes: 4000 };

/** What the change of an invoice, with its histories, takes of a transaction. */
export function costOfChange(scope: SupplierScope, change: InvoiceChange): TransactionCost {
  const items = [
    fromInvoice(scope, change.after),
    ...rowsOf(scope, change.after),
    ...rowsLeft(scope, change),
    ...change.revisions.map((revision) => fromRevision(scope, revision)),
    ...(change.stateChange ? [fromStateChange(scope, change.stateChange)] : []),
  ];
  return {
    writes: items.length,
    bytes: items.reduce((sum, item) => sum + itemBytes(item), 0),
    shared: [...countedMonths(change), ...change.revisions.map(({ requestId }) => requestPartition(requestId))],
  };
}
