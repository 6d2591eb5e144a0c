import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { StateCode } from '../domain/invoice-states.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DayIndex, DayIndexStore } from '../invoices/invoice-lists.ts';
import { batchGet, type Key } from './dynamodb/reads.ts';
import { fromInteger, type StoredNumber, toInteger } from './dynamodb/values.ts';
import { buildDayIndexKey } from './keys.ts';

// Longer than a search of a finished month is likely to be repeated.
const TTL_SECONDS = 30 * 24 * 3600;

/** Creates the repository of DayIndexes. Its reads need no strong consistency, because each index has a fingerprint. */
export function createDayIndexTable(client: DynamoDBDocumentClient, TableName: string, clock: Clock): DayIndexStore {
  return {
    async read(scope, days) {
      const keys = days.map((day) => buildDayIndexKey(scope, day));
      const items = await batchGet<DayIndexItem>(client, TableName, keys, { consistent: false });
      return new Map(items.filter(isReadable).map((item) => [item.day, toDayIndex(item)]));
    },

    async write(scope, day, index) {
      const data = compress(index);
      if (data.length > MAX_BYTES) return;
      const fingerprint = fromInteger(index.fingerprint);
      const ttl = fromInteger(Math.floor(clock.now().getTime() / 1000) + TTL_SECONDS);
      const Item = { ...buildDayIndexKey(scope, day), day, ...READABLE, fingerprint, data, ttl } satisfies DayIndexItem;
      await client.send(new PutCommand({ TableName, Item }));
    },
  };
}

/** The compressed index of a day. */
interface DayIndexItem extends Key {
  readonly day: string;
  readonly format: string;
  readonly parts: StoredNumber;
  readonly fingerprint: StoredNumber;
  readonly data: Uint8Array;
  readonly ttl: StoredNumber;
}

// Version 1.1.0 divides an index of more than 390 KB into several items.
const READABLE = { format: '1', parts: fromInteger(1) };
const isReadable = ({ format, parts }: DayIndexItem) => format === READABLE.format && toInteger(parts) === 1;

// An item has at most 400 KB. A larger index, of some 16,000 rows or more, stays in the memory of each process.
const MAX_BYTES = 390_000;
// Positions, states and searched texts do not contain these characters. Searched texts can contain line feeds.
const SECTION = '\u0001';
const TEXT_SEPARATOR = '\0';

function compress({ entries }: DayIndex): Uint8Array {
  const positions = entries.map(({ position }) => position).join('\n');
  const states = entries.map(({ state }) => state).join('\n');
  const texts = [...entries.map(({ text }) => TEXT_SEPARATOR + text), TEXT_SEPARATOR].join('');
  return zlib().zstdCompressSync([positions, states, texts].join(SECTION));
}

function toDayIndex({ data, fingerprint }: Pick<DayIndexItem, 'data' | 'fingerprint'>): DayIndex {
  const [positions = '', states = '', texts = ''] = zlib().zstdDecompressSync(data).toString().split(SECTION);
  const stateAt = states.split('\n') as StateCode[];
  const [, ...textAt] = texts.split(TEXT_SEPARATOR);
  const entries = positions.split('\n').map((position, at) => ({
    position,
    state: stateAt[at] ?? 'PEN',
    text: textAt[at] ?? '',
  }));
  return { fingerprint: toInteger(fingerprint), entries };
}

/** Loads zlib with the first index, because loading it would delay the start of a function. */
function zlib() {
  return process.getBuiltinModule('node:zlib');
}
