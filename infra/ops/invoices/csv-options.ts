import { readColumnMap } from '../../../lib/admin/import/column-map.ts';
import type { CsvOptions } from '../../../lib/admin/import/read-csv.ts';
import type { Format } from '../../../lib/admin/import/read-records.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { readDocument } from '../directory/read-document.ts';

type WrittenOptions = Omit<CsvOptions, 'map' | 'onHeader'> & { readonly map?: string | undefined };

/** How a CSV is written, as the options say it; throws an OperatorError when the file is none, or the map is faulty. */
export async function readCsvOptions(
  format: Format,
  { map, decimal, dayFirst, encoding }: WrittenOptions,
): Promise<CsvOptions> {
  const isAnyGiven = [map, decimal, dayFirst, encoding].some((option) => option !== undefined);
  if (format !== 'csv' && isAnyGiven) {
    throw new OperatorError('--map, --decimal, --day-first and --encoding belong to CSV.');
  }
  return { map: map === undefined ? undefined : readColumnMap(await readDocument(map)), decimal, dayFirst, encoding };
}
