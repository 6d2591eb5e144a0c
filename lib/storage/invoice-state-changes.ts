import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../domain/invoice.ts';
import type { StateChange } from '../domain/invoice-state-change.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { invoicePartition, type Key, stateChangeKey, stateChangePrefix } from './keys.ts';
import { fromInteger, type StoredNumber, toInteger } from './numbers.ts';
import { itemsOf, PAGE_ITEMS } from './paged-items.ts';

/** An entry of an invoice's state history as it is stored; without a sort date, no list shows it. */
interface StateChangeItem extends Key {
  readonly version: StoredNumber;
  readonly from_state: StateCode;
  readonly to_state: StateCode;
  readonly changed_by: string;
  readonly reason: string | null;
  readonly changed_at: string;
}

/** The stored form of a state change, with its key. */
export function fromStateChange(scope: SupplierScope, change: StateChange): StateChangeItem {
  return {
    ...stateChangeKey(scope, change.invoiceId, change.version),
    version: fromInteger(change.version),
    from_state: change.from,
    to_state: change.to,
    changed_by: change.changedBy,
    reason: change.reason,
    changed_at: change.changedAt,
  };
}

/** Reads the state changes of an invoice, oldest first, strongly consistent. */
export function createStateHistory(client: DynamoDBDocumentClient, invoicesTable: string) {
  return async (scope: SupplierScope, invoiceId: string): Promise<StateChange[]> => {
    const pages = paginateQuery(
      { client },
      {
        TableName: invoicesTable,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :changes)',
        ExpressionAttributeValues: { ':pk': invoicePartition(scope), ':changes': stateChangePrefix(invoiceId) },
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
      },
    );
    return (await itemsOf<StateChangeItem>(pages)).map((item) => toStateChange(invoiceId, item));
  };
}

function toStateChange(invoiceId: string, item: StateChangeItem): StateChange {
  return {
    invoiceId,
    version: toInteger(item.version),
    from: item.from_state,
    to: item.to_state,
    changedBy: item.changed_by,
    reason: item.reason,
    changedAt: item.changed_at,
  };
}
