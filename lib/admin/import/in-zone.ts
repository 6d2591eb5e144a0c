import { SORT_DATES } from './record-schema.ts';
import type { SourceRecord } from './source-record.ts';

/** A zone as an offset from UTC: `-03:00`, `Z`. */
export const ZONE = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

const DATE_ALONE = /^\d{4}-\d{2}-\d{2}$/;
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}T[\d:.,]+$/;

/** A record whose dates without a zone, as far as lists sort by them, are of this zone; a date alone is its midnight. */
export function inZone(record: SourceRecord, zone: string): SourceRecord {
  if (!('value' in record) || !isObject(record.value)) return record;
  const value = { ...record.value };
  for (const field of SORT_DATES) {
    const date = value[field];
    if (typeof date !== 'string') continue;
    if (DATE_ALONE.test(date)) value[field] = `${date}T00:00:00${zone}`;
    else if (WITHOUT_ZONE.test(date)) value[field] = `${date}${zone}`;
  }
  return { ...record, value };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
