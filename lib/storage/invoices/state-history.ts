import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StateChange } from '../../domain/invoice-state-change.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { itemsOf, PAGE_ITEMS } from '../dynamodb/paged-items.ts';
import { invoicePartition, stateChangePrefix } from '../items/keys.ts';
import { type StateChangeItem, toStateChange } from '../items/state-change-items.ts';

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
