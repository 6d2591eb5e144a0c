import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../domain/invoice.ts';
import { monthOf } from '../../domain/list-entry.ts';
import type { Key } from '../dynamodb/key.ts';
import { PAGE_ITEMS } from '../dynamodb/paged-items.ts';
import { type InvoiceItem, toInvoice } from '../items/invoice-items.ts';
import { type InvoiceRowItem, rowsOf } from '../items/invoice-row-items.ts';
import { invoiceIdBounds, invoicePartition, rowPartition } from '../items/keys.ts';
import { type AuditedRow, toAudited } from './audited-rows.ts';
import { lookAtRows, repairRows, type SeenRows } from './row-repair.ts';

/** What it takes to verify the rows of invoices; months are yyyy-mm. Strongly consistent. */
export interface RowAudit {
  /** The rows that the invoices of a supplier must have, page by page. */
  readonly due: (scope: SupplierScope) => AsyncIterable<readonly AuditedRow[]>;
  /** The rows that are in a month, page by page. */
  readonly stored: (scope: SupplierScope, month: string) => AsyncIterable<readonly AuditedRow[]>;
  /**
   * Looks at an invoice (there may be none), at its rows and at other rows that seem to be its, all at one moment; null
   * when it was just being changed.
   */
  readonly look: (scope: SupplierScope, invoiceId: string, others: readonly Key[]) => Promise<SeenRows | null>;
  /** Sets right what was seen; false when the invoice has changed since then. */
  readonly repair: (scope: SupplierScope, invoiceId: string, seen: SeenRows) => Promise<boolean>;
}

// What rows begin with, in the list of all and in those of states.
const ROW_KEY = /^[DS]#/;

/** The auditors' repository of the rows in Invoices. */
export function createRowAudit(client: DynamoDBDocumentClient, table: string): RowAudit {
  async function* pages<Item>(condition: string, values: Record<string, string>): AsyncGenerator<Item[]> {
    const query = {
      TableName: table,
      KeyConditionExpression: condition,
      ExpressionAttributeValues: values,
      ConsistentRead: true,
      Limit: PAGE_ITEMS,
    };
    for await (const { Items = [] } of paginateQuery({ client }, query)) yield Items as Item[];
  }

  return {
    async *due(scope) {
      const { first, last } = invoiceIdBounds;
      const invoices = pages<InvoiceItem>('pk = :pk AND sk BETWEEN :first AND :last', {
        ':pk': invoicePartition(scope),
        ':first': first,
        ':last': last,
      });
      for await (const items of invoices) {
        yield items.flatMap((item) => {
          const month = monthOf(item.sort_date);
          return rowsOf(scope, toInvoice(item)).map((row) => toAudited(row, month));
        });
      }
    },

    async *stored(scope, month) {
      const rows = pages<InvoiceRowItem>('pk = :pk', { ':pk': rowPartition(scope, month) });
      for await (const items of rows) {
        yield items.filter(({ sk }) => ROW_KEY.test(sk)).map((item) => toAudited(item, month));
      }
    },

    look: (scope, invoiceId, others) => lookAtRows(client, table, scope, invoiceId, others),
    repair: (scope, invoiceId, seen) => repairRows(client, table, scope, invoiceId, seen),
  };
}
