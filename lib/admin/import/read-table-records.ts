import type { FieldSpec } from '../../spreadsheets/find-columns.ts';
import type { Findings } from '../../spreadsheets/findings.ts';
import { readTable, type TableOptions, type TableRow } from '../../spreadsheets/read-table.ts';
import type { Hint } from '../../spreadsheets/spreadsheet-error.ts';
import { BATCH_RECORDS } from './batches.ts';
import type { ColumnMap } from './column-map.ts';
import { parseExactJson } from './read-ndjson.ts';
import type { SourceRecord } from './source-record.ts';
import { COMPUTED, dateProperties, decimalProperties, FIELDS, recordSchema } from './record-schema.ts';

/** What is told of a CSV or a workbook; all else is found out. */
export interface WrittenOptions extends Pick<TableOptions<string>, 'separator' | 'encoding' | 'decimal' | 'dayFirst'> {
  /** Which column is which field, where headings are not the names of fields; other columns are left out. */
  readonly map?: ColumnMap | undefined;
}

/** Other headings by which fields are known, unless there is a map. */
const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  invoice_id: ['invoice', 'factura', 'id factura'],
  supplier_id: ['supplier', 'prestador', 'id prestador'],
  invoice_date: ['date', 'fecha', 'fecha factura'],
  service_id: ['service', 'servicio', 'id servicio', 'orden', 'id orden'],
  service_number: ['no servicio', 'no orden'],
  service_call_date: ['fecha servicio'],
  account_name: ['account', 'client', 'cliente', 'cuenta'],
  city: ['ciudad', 'localidad'],
  system_amount: ['amount', 'importe', 'importe sistema'],
  declared_amount: ['importe declarado'],
  state_code: ['state', 'estado'],
  concepts: ['conceptos'],
};

const HINTS: Readonly<Record<Hint, string>> = {
  encoding: '; --encoding says which it is',
  decimal: '; or say --decimal comma or --decimal point',
  dates: '; or say --day-first',
};

const kindOf = (field: string): FieldSpec['kind'] => {
  if (decimalProperties.has(field)) return 'amount';
  return dateProperties.has(field) ? 'date' : 'text';
};
const fields = Object.fromEntries(
  [...FIELDS, ...COMPUTED].map((field) => [field, { kind: kindOf(field), headings: HEADINGS[field] ?? [] }]),
);

/** Reads the records of a CSV or a workbook one by one; `onFindings` hears first how the file was understood. */
export async function* readTableRecords(
  input: AsyncIterable<Buffer | string>,
  { map, ...written }: WrittenOptions,
  onFindings: (findings: Findings<string>) => void,
): AsyncGenerator<SourceRecord> {
  const { findings, rows } = await readTable(input, {
    ...written,
    fields,
    required: recordSchema.required,
    map: map && [...map],
    leavesOutOthers: map !== undefined,
    sample: BATCH_RECORDS,
    nullWord: 'null',
  });
  onFindings(findings);
  for await (const row of rows) yield toRecord(row);
}

function toRecord({ lastLine: line, cells, values, faults: found }: TableRow<string>): SourceRecord {
  const faults = found.map(
    ({ field, fault, hint }) => `${field ?? 'record'}: ${fault.en}${hint === undefined ? '' : HINTS[hint]}`,
  );
  const [first] = faults;
  if (first !== undefined && values.size === 0) return { line, source: JSON.stringify(cells), fault: first };
  const row: Record<string, unknown> = Object.fromEntries(values);
  const concepts = values.get('concepts');
  if (typeof concepts !== 'string') return { line, source: JSON.stringify(row), value: row, faults };
  try {
    const value = { ...row, concepts: parseExactJson(concepts) };
    return { line, source: JSON.stringify(value), value, faults };
  } catch {
    return { line, source: JSON.stringify(row), fault: 'concepts: is not valid JSON' };
  }
}
