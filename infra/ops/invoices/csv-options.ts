import { readColumnMap } from '../../../lib/admin/import/column-map.ts';
import type { DecimalSign } from '../../../lib/admin/import/read-amounts.ts';
import type { CsvOptions } from '../../../lib/admin/import/read-csv.ts';
import type { Format } from '../../../lib/admin/import/read-records.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { readDocument } from '../directory/read-document.ts';

/** How a CSV is written, as the options say it; throws an OperatorError when the file is none, or the map is faulty. */
export async function readCsvOptions(
  format: Format,
  { map, decimal }: { readonly map?: string | undefined; readonly decimal?: DecimalSign | undefined },
): Promise<Pick<CsvOptions, 'map' | 'decimal'>> {
  if (format !== 'csv' && (map !== undefined || decimal !== undefined)) {
    throw new OperatorError('--map and --decimal belong to CSV.');
  }
  return { map: map === undefined ? undefined : readColumnMap(await readDocument(map)), decimal };
}
