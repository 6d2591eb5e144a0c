import { CsvError, parse } from 'csv-parse/sync';

/** The cells of a record of a CSV; null when a quote is out of place. */
export function splitCells(record: string): string[] | null {
  try {
    const [cells = []] = parse(record, { record_delimiter: '\n' });
    return cells;
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
