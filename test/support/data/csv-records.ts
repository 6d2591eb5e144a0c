import { Readable } from 'node:stream';
import { type ReadOptions, readRecords } from '../../../lib/admin/import/read-records.ts';
import { recordSchema, REQUIRED_OF_NEW } from '../../../lib/admin/import/record-schema.ts';
import type { SourceRecord } from '../../../lib/admin/import/source-record.ts';
import type { Findings } from '../../../lib/spreadsheets/findings.ts';

/** The records of a CSV, and how it was understood. */
export async function readCsv(text: string | Buffer, options: ReadOptions = {}) {
  const records: SourceRecord[] = [];
  let findings: Findings<string> | undefined;
  const onFindings = (found: Findings<string>) => void (findings = found);
  for await (const record of readRecords(Readable.from([text]), 'csv', { ...options, onFindings }))
    records.push(record);
  return { records, findings };
}

/** The values of records, or why there is none. */
export const valuesOf = ({ records }: { records: readonly SourceRecord[] }) =>
  records.map((record) => ('value' in record ? record.value : record.fault));

/** The fields that a new invoice needs. */
export const REQUIRED_FIELDS = [...recordSchema.required, ...REQUIRED_OF_NEW];

/** A header of these. */
export const REQUIRED = REQUIRED_FIELDS.join(';');
