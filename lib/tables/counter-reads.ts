import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type DateRange, dayOf, wholeDay } from '../domain/date-range.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { monthOf } from '../domain/list-entry.ts';
import { type Fingerprint, NO_FINGERPRINT } from '../runtime/fingerprints.ts';
import type { CountedDay } from '../invoices/invoice-lists.ts';
import { sumsOf } from './day-counters.ts';
import { COUNTER_SHARDS, counterMonth, counterSortKey, invoicePartition } from './keys.ts';

/** Reads the counter items of some months (yyyy-mm) in the form in which they come (see sumsOf). */
export async function readCounters(
  client: DynamoDBDocumentClient,
  table: string,
  scope: SupplierScope,
  firstMonth: string,
  lastMonth: string,
): Promise<Record<string, AttributeValue>[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': { S: invoicePartition(scope) },
        ':first': { S: counterSortKey(firstMonth, 0) },
        ':last': { S: counterSortKey(lastMonth, COUNTER_SHARDS - 1) },
      },
      ConsistentRead: true,
      Limit: 100,
    }),
  );
  return Items;
}

/** Counts the invoices (of one state, or of all) of each day in a range of whole days. */
export async function readDayCounts(
  client: DynamoDBDocumentClient,
  table: string,
  scope: SupplierScope,
  range: DateRange,
  state: StateCode | null,
): Promise<CountedDay[]> {
  const first = dayOf(range.startMs);
  const last = dayOf(range.endMs);
  const items = await readCounters(client, table, scope, monthOf(first), monthOf(last));
  const days = new Map<string, { count: number; countInAll: number; fingerprint: Fingerprint }>();
  for (const [month, ofMonth] of Map.groupBy(items, ({ sk }) => counterMonth(sk?.S ?? ''))) {
    for (const [name, sum] of sumsOf(ofMonth)) {
      const day = `${month}-${name.slice(0, 2)}`;
      if (day < first || day > last) continue;
      const found = days.get(day) ?? { count: 0, countInAll: 0, fingerprint: NO_FINGERPRINT };
      days.set(day, found);
      const counted = name.slice(2);
      if (counted === '') found.fingerprint = sum;
      else {
        found.countInAll += sum;
        if (!state || counted === state) found.count += sum;
      }
    }
  }
  return [...days].map(([day, sums]) => ({ day, range: wholeDay(Date.parse(day)), ...sums }));
}
