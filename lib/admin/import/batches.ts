import { dateInZone } from '../../domain/zone.ts';
import { compileSchema } from '../find-errors.ts';
import type { SourceRecord } from './source-record.ts';
import { type InvoiceRecord, recordSchema, SORT_DATES } from './record-schema.ts';
import type { Survey } from './survey-records.ts';

/** A record that is valid. */
export interface Row {
  readonly source: SourceRecord;
  readonly record: InvoiceRecord;
}

/** A record that is not imported, with its errors. */
export type Reject = readonly [source: SourceRecord, errors: readonly string[]];

/** Records that are imported together. */
export interface Batch {
  readonly rows: readonly Row[];
  readonly rejects: readonly Reject[];
  /** The number of records that were skipped because they repeat another record. */
  readonly repeated: number;
  readonly lastLine: number;
}

/** Options of the division of records into batches. */
export interface BatchOptions {
  /** The time zone of dates without an offset. */
  readonly zone?: string | undefined;
  /** The first line that is imported. */
  readonly fromLine?: number | undefined;
  /** Detects repeated records; if absent, records are not compared with each other. */
  readonly survey?: Pick<Survey, 'checkRepetition'> | undefined;
}

/** The maximum records of a batch: it limits the memory of an import, and is the interval of its progress reports. */
export const BATCH_RECORDS = 1000;
const BATCH_CHARACTERS = 16_000_000;

const findErrors = compileSchema(recordSchema);

/** Validates the records of a surveyed file one by one, and yields them in batches. */
export async function* buildBatches(
  records: AsyncIterable<SourceRecord>,
  { zone, fromLine = 1, survey }: BatchOptions,
): AsyncGenerator<Batch> {
  const newBatch = () => ({ rows: [] as Row[], rejects: [] as Reject[], repeated: 0, lastLine: 0 });
  let batch = newBatch();
  let characters = 0;
  let position = -1;
  const size = () => batch.rows.length + batch.rejects.length + batch.repeated;
  try {
    for await (const read of records) {
      position += 1;
      if (read.line < fromLine) continue;
      const source = applyZone(read, zone);
      const verdict = survey?.checkRepetition(position);
      const errors = [...findRecordErrors(source), ...(verdict && verdict !== 'repeated' ? [verdict.error] : [])];
      const isValid = 'value' in source && errors.length === 0;
      if (verdict === 'repeated') batch.repeated += 1;
      else if (isValid) batch.rows.push({ source, record: source.value as InvoiceRecord });
      else batch.rejects.push([source, errors]);
      batch.lastLine = source.line;
      characters += source.source.length;
      if (size() < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
      yield batch;
      [batch, characters] = [newBatch(), 0];
    }
  } catch (error) {
    // The records before an unreadable line are imported.
    if (size() > 0) yield batch;
    throw error;
  }
  if (size() > 0) yield batch;
}

/** Adds the offset of a zone to the sort dates of a record that have no offset; a date without a time is midnight. */
export function applyZone(record: SourceRecord, zone: string | undefined): SourceRecord {
  if (zone === undefined || !('value' in record) || !isObject(record.value)) return record;
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

/** Finds the errors of a record. A field that could not be read is not validated. */
function findRecordErrors(source: SourceRecord): readonly string[] {
  if ('error' in source) return [source.error];
  const { value, errors = [] } = source;
  const parseField = (error: string) => error.split(': ', 1)[0];
  const unread = new Set(errors.map(parseField));
  return [...errors, ...findErrors(value, '').filter((error) => !unread.has(parseField(error)))];
}
