import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../runtime/clock.ts';
import type { DayIndex, DayIndexStore } from '../invoices/invoice-lists.ts';
import { batchGet, type Key } from './dynamodb/reads.ts';
import { fromInteger, type StoredNumber, toInteger } from './dynamodb/values.ts';
import { buildDayIndexKey } from './keys.ts';

/** A part of the compressed index of a day. Most indexes have one part (`parts` is 1). */
interface DayIndexItem extends Key {
  readonly day: string;
  readonly format: string;
  readonly part: StoredNumber;
  readonly parts: StoredNumber;
  readonly fingerprint: StoredNumber;
  readonly data: Uint8Array;
  readonly ttl: StoredNumber;
}

// After this time, a repeated search of the same days is unlikely.
const TTL_SECONDS = 30 * 24 * 3600;
// An item of DynamoDB has at most 400 KB. This is the compressed index of about 30,000 rows.
const MAX_DATA_BYTES = 390_000;
// Versions with another format (until 1.1.0: 1) ignore these items, and this version ignores theirs.
const FORMAT = '2';

/**
 * Creates the store of day indexes. Reads need not be strongly consistent, because the caller recognizes an old index
 * by its fingerprint.
 */
export function createDayIndexTable(client: DynamoDBDocumentClient, TableName: string, clock: Clock): DayIndexStore {
  async function readParts(keys: readonly Key[]): Promise<DayIndexItem[]> {
    const items = await batchGet<DayIndexItem>(client, TableName, keys, { consistent: false });
    return items.filter(({ format }) => format === FORMAT);
  }

  return {
    async read(scope, days) {
      const firstParts = await readParts(days.map((day) => buildDayIndexKey(scope, day, 0)));
      const otherParts = await readParts(
        firstParts.flatMap(({ day, parts }) =>
          Array.from({ length: toInteger(parts) - 1 }, (_, index) => buildDayIndexKey(scope, day, index + 1)),
        ),
      );
      const indexes = new Map<string, DayIndex>();
      for (const [day, parts] of Map.groupBy([...firstParts, ...otherParts], (item) => item.day)) {
        const index = joinParts(parts);
        if (index) indexes.set(day, index);
      }
      return indexes;
    },

    async write(scope, day, { fingerprint, text }) {
      const data = loadZlib().zstdCompressSync(text);
      const partCount = Math.ceil(data.length / MAX_DATA_BYTES);
      const ttl = Math.floor(clock.now().getTime() / 1000) + TTL_SECONDS;
      for (let part = 0; part < partCount; part++) {
        const Item = {
          ...buildDayIndexKey(scope, day, part),
          day,
          format: FORMAT,
          part: fromInteger(part),
          parts: fromInteger(partCount),
          fingerprint: fromInteger(fingerprint),
          data: data.subarray(part * MAX_DATA_BYTES, (part + 1) * MAX_DATA_BYTES),
          ttl: fromInteger(ttl),
        } satisfies DayIndexItem;
        await client.send(new PutCommand({ TableName, Item }));
      }
    },
  };
}

/** Joins the parts of an index. Returns null if a part is absent, or if the parts are from different indexes. */
function joinParts(items: readonly DayIndexItem[]): DayIndex | null {
  const parts = items.toSorted((one, other) => toInteger(one.part) - toInteger(other.part));
  const [fingerprint, ...otherFingerprints] = new Set(parts.map((item) => toInteger(item.fingerprint)));
  const isComplete = parts.every((item) => toInteger(item.parts) === parts.length);
  if (fingerprint === undefined || otherFingerprints.length > 0 || !isComplete) return null;
  const data = Buffer.concat(parts.map((item) => item.data));
  return { fingerprint, text: loadZlib().zstdDecompressSync(data).toString() };
}

/** Loads zlib when the first index is read or written, because an import would delay the start of every function. */
function loadZlib() {
  return process.getBuiltinModule('node:zlib');
}
