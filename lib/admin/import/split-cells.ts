import { CsvError, parse } from 'csv-parse/sync';

/** The cells of a record of a CSV with this separator; null when a quote is out of place. */
export function splitCells(record: string, separator: string): string[] | null {
  try {
    const [cells = []] = parse(record, { record_delimiter: '\n', delimiter: separator });
    return cells;
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
