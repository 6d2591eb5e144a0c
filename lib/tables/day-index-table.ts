import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { StateCode } from '../domain/invoice-states.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { Clock } from '../runtime/clock.ts';
import { newUuid } from '../runtime/ids.ts';
import type { DayIndex } from '../invoices/day-index.ts';
import type { DayIndexStore } from '../invoices/invoice-lists.ts';
import { batchGet } from './dynamodb/batch-get.ts';
import type { Key } from './dynamodb/key.ts';
import { fromInteger, type StoredNumber, toInteger } from './dynamodb/numbers.ts';
import { dayIndexKey } from './keys.ts';

// Longer than a search of a finished month is likely to be repeated.
const TTL_SECONDS = 30 * 24 * 3600;
const READ_TOGETHER = 25;

/** Creates the repository of DayIndexes. Its reads need no strong consistency, because each index has a fingerprint. */
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

/** A stored part of the compressed index of a day. */
interface DayIndexItem extends Key {
  readonly day: string;
  readonly format: string;
  /** Equal on all parts that were written together. */
  readonly copy: string;
  readonly fingerprint: StoredNumber;
  readonly part: StoredNumber;
  readonly parts: StoredNumber;
  readonly data: Uint8Array;
  readonly ttl: StoredNumber;
}

/** The version of the compressed form; indexes of other versions are not read. */
const FORMAT = '1';
// An item has at most 400 KB.
const PART_BYTES = 390_000;
// Positions, states and searched texts do not contain this character.
const SECTION = '\u0001';

export function fromDayIndex(scope: SupplierScope, day: string, index: DayIndex, ttlSeconds: number): DayIndexItem[] {
  const sections = [index.positions.join('\n'), index.states.join('\n'), index.texts];
  const data = zlib().zstdCompressSync(sections.join(SECTION));
  const parts = Math.ceil(data.length / PART_BYTES);
  const copy = newUuid();
  return Array.from({ length: parts }, (_, part) => ({
    ...dayIndexKey(scope, day, part),
    day,
    format: FORMAT,
    copy,
    fingerprint: fromInteger(index.fingerprint),
    part: fromInteger(part),
    parts: fromInteger(parts),
    data: data.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    ttl: fromInteger(ttlSeconds),
  }));
}

/** Converts all parts to the index; returns null if a part is missing or was not written with the others. */
export function toDayIndex(items: readonly DayIndexItem[]): DayIndex | null {
  const parts = items.toSorted((a, b) => toInteger(a.part) - toInteger(b.part));
  const [first] = parts;
  if (!first) return null;
  const isWhole = parts.every(
    ({ format, copy, parts: all }) => format === FORMAT && copy === first.copy && toInteger(all) === parts.length,
  );
  if (!isWhole) return null;
  const [positions = '', states = '', texts = ''] = zlib()
    .zstdDecompressSync(Buffer.concat(parts.map(({ data }) => data)))
    .toString()
    .split(SECTION);
  return {
    fingerprint: toInteger(first.fingerprint),
    positions: positions.split('\n'),
    states: states.split('\n') as StateCode[],
    texts,
  };
}

/** Loads zlib with the first index, because loading it would delay the start of a function. */
function zlib() {
  return process.getBuiltinModule('node:zlib');
}
