import { dateInZone } from '../../domain/zone.ts';
import { compileSchema } from '../find-faults.ts';
import type { SourceRecord } from './source-record.ts';
import { type InvoiceRecord, recordSchema, SORT_DATES } from './record-schema.ts';

/** A record whose form is right. */
export interface Row {
  readonly source: SourceRecord;
  readonly record: InvoiceRecord;
}

/** A record that is not imported, and why. */
export type Reject = readonly [source: SourceRecord, faults: readonly string[]];

/** Records that are imported together. */
export interface Batch {
  readonly rows: readonly Row[];
  readonly rejects: readonly Reject[];
  readonly lastLine: number;
}

/** The most records of a batch: the memory that an import needs, and how far its progress is apart. */
export const BATCH_RECORDS = 1000;
const BATCH_CHARACTERS = 16_000_000;

const findFaults = compileSchema(recordSchema);

/** Checks the form of records, with dates of this zone, and hands them on in batches. */
export async function* batchesOf(records: AsyncIterable<SourceRecord>, zone?: string): AsyncGenerator<Batch> {
  let rows: Row[] = [];
  let rejects: Reject[] = [];
  let lastLine = 0;
  let characters = 0;
  try {
    for await (const read of records) {
      const source = zone === undefined ? read : inZone(read, zone);
      const faults = faultsOf(source);
      if ('value' in source && faults.length === 0) rows.push({ source, record: source.value as InvoiceRecord });
      else rejects.push([source, faults]);
      lastLine = source.line;
      characters += source.source.length;
      if (rows.length + rejects.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
      yield { rows, rejects, lastLine };
      [rows, rejects, characters] = [[], [], 0];
    }
  } catch (error) {
    // What stands before a line that cannot be read is imported all the same.
    if (rows.length + rejects.length > 0) yield { rows, rejects, lastLine };
    throw error;
  }
  if (rows.length + rejects.length > 0) yield { rows, rejects, lastLine };
}

/** A record whose dates without a zone, as far as lists sort by them, are of this zone; a date alone is its midnight. */
export function inZone(record: SourceRecord, zone: string): SourceRecord {
  if (!('value' in record) || !isObject(record.value)) return record;
  const value = { ...record.value };
  for (const field of SORT_DATES) {
    const date = value[field];
    if (typeof date === 'string') value[field] = dateInZone(date, zone);
  }
  return { ...record, value };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How a field is written comes first: nothing else can be said of what was not read. */
function faultsOf(source: SourceRecord): readonly string[] {
  if ('fault' in source) return [source.fault];
  const { value, faults = [] } = source;
  const fieldOf = (fault: string) => fault.split(': ', 1)[0];
  const unread = new Set(faults.map(fieldOf));
  return [...faults, ...findFaults(value, '').filter((fault) => !unread.has(fieldOf(fault)))];
}
