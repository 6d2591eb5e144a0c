import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { DayIndex } from '../../services/day-index.ts';
import type { DayIndexStore } from '../../services/invoice-lists.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import type { Key } from '../dynamodb/key.ts';
import { toInteger } from '../dynamodb/numbers.ts';
import { type DayIndexItem, fromDayIndex, toDayIndex } from '../items/day-index-items.ts';
import { dayIndexKey } from '../items/keys.ts';

// Longer than a search of a finished month is likely to be repeated.
const TTL_SECONDS = 30 * 24 * 3600;
const READ_TOGETHER = 25;

/** The repository of DayIndexes; not strongly consistent, for each index tells whether it is exact. */
export function createDayIndexTable(client: DynamoDBDocumentClient, table: string, clock: Clock): DayIndexStore {
  async function readItems(keys: readonly Key[]): Promise<DayIndexItem[]> {
    const reads = Array.from({ length: Math.ceil(keys.length / READ_TOGETHER) }, (_, part) =>
      batchGet<DayIndexItem>(client, table, keys.slice(part * READ_TOGETHER, (part + 1) * READ_TOGETHER), {
        consistent: false,
      }),
    );
    return (await Promise.all(reads)).flat();
  }

  return {
    async read(scope: SupplierScope, days: readonly string[]) {
      const firsts = await readItems(days.map((day) => dayIndexKey(scope, day, 0)));
      const others = await readItems(
        firsts.flatMap(({ day, parts }) =>
          Array.from({ length: toInteger(parts) - 1 }, (_, index) => dayIndexKey(scope, day, index + 1)),
        ),
      );
      const indexes = new Map<string, DayIndex>();
      for (const [day, items] of Map.groupBy([...firsts, ...others], ({ day: of }) => of)) {
        const index = toDayIndex(items);
        if (index) indexes.set(day, index);
      }
      return indexes;
    },

    async write(scope, day, index) {
      const ttl = Math.floor(clock.now().getTime() / 1000) + TTL_SECONDS;
      const items = fromDayIndex(scope, day, index, ttl);
      await Promise.all(items.map((Item) => client.send(new PutCommand({ TableName: table, Item }))));
    },
  };
}
