import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { StateCode } from '../domain/invoice-states.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DayIndex, DayIndexStore } from '../invoices/invoice-lists.ts';
import { batchGet, type Key } from './dynamodb/reads.ts';
import { fromInteger, type StoredNumber, toInteger } from './dynamodb/values.ts';
import { buildDayIndexKey } from './keys.ts';

/** The item with the compressed index of a day. */
interface DayIndexItem extends Key {
  readonly day: string;
  readonly format: string;
  readonly parts: StoredNumber;
  readonly fingerprint: StoredNumber;
  readonly data: Uint8Array;
  readonly ttl: StoredNumber;
}

// After this time, a repeated search of the same days is unlikely.
const TTL_SECONDS = 30 * 24 * 3600;
// An item of DynamoDB has at most 400 KB. A larger index (of about 16,000 rows) is only kept in memory.
const MAX_DATA_BYTES = 390_000;
// Version 1.1.0 divided large indexes into several items (`parts` > 1). Such an index is not read.
const READABLE_FORMAT = { format: '1', parts: fromInteger(1) };
// Positions, states and searched texts do not contain these characters. Searched texts can contain line feeds.
const SECTION_SEPARATOR = '\u0001';
const TEXT_SEPARATOR = '\0';

/**
 * Creates the store of day indexes. Reads need not be strongly consistent, because the caller recognizes an old index
 * by its fingerprint.
 */
export function createDayIndexTable(client: DynamoDBDocumentClient, TableName: string, clock: Clock): DayIndexStore {
  return {
    async read(scope, days) {
      const keys = days.map((day) => buildDayIndexKey(scope, day));
      const items = await batchGet<DayIndexItem>(client, TableName, keys, { consistent: false });
      return new Map(items.filter(isReadable).map((item) => [item.day, toDayIndex(item)]));
    },

    async write(scope, day, index) {
      const data = compressEntries(index);
      if (data.length > MAX_DATA_BYTES) return;
      const Item = {
        ...buildDayIndexKey(scope, day),
        day,
        ...READABLE_FORMAT,
        fingerprint: fromInteger(index.fingerprint),
        data,
        ttl: fromInteger(Math.floor(clock.now().getTime() / 1000) + TTL_SECONDS),
      } satisfies DayIndexItem;
      await client.send(new PutCommand({ TableName, Item }));
    },
  };
}

function isReadable({ format, parts }: DayIndexItem): boolean {
  return format === READABLE_FORMAT.format && toInteger(parts) === toInteger(READABLE_FORMAT.parts);
}

/** Compresses the entries of an index to three sections: all positions, all states and all texts. */
function compressEntries({ entries }: DayIndex): Uint8Array {
  const positions = entries.map(({ position }) => position).join('\n');
  const states = entries.map(({ state }) => state).join('\n');
  // A separator precedes each text and follows the last one.
  const texts = entries.map(({ text }) => TEXT_SEPARATOR + text).join('') + TEXT_SEPARATOR;
  return loadZlib().zstdCompressSync([positions, states, texts].join(SECTION_SEPARATOR));
}

function toDayIndex({ data, fingerprint }: DayIndexItem): DayIndex {
  const sections = loadZlib().zstdDecompressSync(data).toString().split(SECTION_SEPARATOR);
  const [positionSection = '', stateSection = '', textSection = ''] = sections;
  const states = stateSection.split('\n') as StateCode[];
  const [, ...texts] = textSection.split(TEXT_SEPARATOR);
  const entries = positionSection.split('\n').map((position, index) => ({
    position,
    // All sections have the same number of parts. The defaults are only for the compiler.
    state: states[index] ?? 'PEN',
    text: texts[index] ?? '',
  }));
  return { fingerprint: toInteger(fingerprint), entries };
}

/** Loads zlib when the first index is read or written, because an import would delay the start of every function. */
function loadZlib() {
  return process.getBuiltinModule('node:zlib');
}
