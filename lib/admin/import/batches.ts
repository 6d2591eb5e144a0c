import { dateInZone } from '../../domain/zone.ts';
import { compileSchema } from '../find-faults.ts';
import type { SourceRecord } from './source-record.ts';
import { type InvoiceRecord, recordSchema, SORT_DATES } from './record-schema.ts';
import type { Survey } from './survey-records.ts';

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
  /** How many records were left out because they repeat another one. */
  readonly repeated: number;
  readonly lastLine: number;
}

/** How records are divided into batches. */
export interface BatchOptions {
  /** The zone of dates that have none. */
  readonly zone?: string | undefined;
  /** The first line that is imported. */
  readonly fromLine?: number | undefined;
  /** Without it, the records are not compared with each other. */
  readonly survey?: Pick<Survey, 'judge'> | undefined;
}

/** The most records of a batch: the memory that an import needs, and how far its progress is apart. */
export const BATCH_RECORDS = 1000;
const BATCH_CHARACTERS = 16_000_000;

const findFaults = compileSchema(recordSchema);

/** Checks the records of a file that was surveyed, one by one, and yields them in batches. */
export async function* batchesOf(
  records: AsyncIterable<SourceRecord>,
  { zone, fromLine = 1, survey }: BatchOptions,
): AsyncGenerator<Batch> {
  let rows: Row[] = [];
  let rejects: Reject[] = [];
  let repeated = 0;
  let lastLine = 0;
  let characters = 0;
  let position = -1;
  const size = () => rows.length + rejects.length + repeated;
  try {
    for await (const read of records) {
      position += 1;
      if (read.line < fromLine) continue;
      const source = zone === undefined ? read : inZone(read, zone);
      const verdict = survey?.judge(position);
      const faults = [...faultsOf(source), ...(verdict && verdict !== 'repeated' ? [verdict.fault] : [])];
      if (verdict === 'repeated') repeated += 1;
      else if ('value' in source && faults.length === 0) rows.push({ source, record: source.value as InvoiceRecord });
      else rejects.push([source, faults]);
      lastLine = source.line;
      characters += source.source.length;
      if (size() < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
      yield { rows, rejects, repeated, lastLine };
      [rows, rejects, repeated, characters] = [[], [], 0, 0];
    }
  } catch (error) {
    // The records before a line that cannot be read are imported all the same.
    if (size() > 0) yield { rows, rejects, repeated, lastLine };
    throw error;
  }
  if (size() > 0) yield { rows, rejects, repeated, lastLine };
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
