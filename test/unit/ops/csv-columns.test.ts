import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readColumnMap } from '../../../infra/ops/import/import.ts';
import { type ReadOptions, readRecords } from '../../../infra/ops/import/read-records.ts';
import { IMPORT_FIELDS, recordSchema, REQUIRED_ON_CREATE } from '../../../infra/ops/import/record-schema.ts';
import { INVOICE_LIST } from '../../../infra/ops/review/reviewed-invoices.ts';
import { compileSchema } from '../../../infra/ops/find-errors.ts';
import type { DetectedFormat } from '../../../lib/client/spreadsheets/detected-format.ts';
import { texts } from '../../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { type WorkbookCell, workbookOf } from '../../support/data/workbook.ts';
import { blockAfter, guideText, sectionOf } from '../../support/guides/readme.ts';

/** Reads the records of a CSV, and its detected format. */
async function readCsv(text: string | Buffer, options: ReadOptions = {}) {
  let detected: DetectedFormat<string> | undefined;
  const onDetectedFormat = (found: DetectedFormat<string>) => void (detected = found);
  const read = readRecords(Readable.from([text]), 'csv', { ...options, onDetectedFormat });
  return { records: await Readable.from(read).toArray(), detected };
}

const HEADER = [...recordSchema.required, ...REQUIRED_ON_CREATE].join(';');
const GUIDE = 'infra/ops/invoices/README.md';

it('a CSV with a map has the amounts and dates of all such fields read, and its other columns ignored', async () => {
  const renamed = { invoice_id: 'Nro.', supplier_id: 'Prestador', service_id: 'Orden', system_amount: 'Importe' };
  const map = readColumnMap(renamed);
  const fields = ['invoice_date', 'service_call_date', 'provider_invoice_date', 'declared_amount', 'declared_notes'];
  const header = `Nro.;Moneda;Prestador;;Orden;Importe;city;${fields.join(';')}`;
  const row = '1;ARS;10;x;5;1.050,00;Salta;31/08/2026;1/9/2026;2/9/2026;2.000;2.000';
  const { records, detected } = await readCsv(`${header}\n${row}\n`, { map });
  const ids = { invoice_id: '1', supplier_id: '10', service_id: '5', city: 'Salta' };
  const dates = { invoice_date: '2026-08-31', service_call_date: '2026-09-01', provider_invoice_date: '2026-09-02' };
  const amounts = { system_amount: '1050.00', declared_amount: '2000', declared_notes: '2.000' };
  expect(records.map(({ value }) => value)).toEqual([{ ...ids, ...dates, ...amounts }]);
  const mapped = ['invoice_id', null, 'supplier_id', null, 'service_id', 'system_amount', 'city'];
  expect(detected?.fields).toEqual([...mapped, ...fields]);
});

it('the error of an ambiguous cell has the option that resolves it', async () => {
  const text = Buffer.from(`${HEADER};invoice_date;city\n1;10;5;1.050;1/9/2026;x\n`);
  const bytes = Buffer.concat([text, Buffer.from('2;10;5;1;;ñ\n3;10;5;1;;'), Buffer.from('ñ\n', 'latin1')]);
  const { records } = await readCsv(bytes);
  expect(records.map(({ errors }) => errors)).toEqual([
    [
      'system_amount: 1.050 may be 1050 or 1,0500: write one of these; or pass --decimal comma or --decimal point',
      'invoice_date: 1/9/2026 may be 2026-09-01 or 2026-01-09: write one of these; or pass --day-first',
    ],
    [],
    ['city: has bytes that are not UTF-8, as the rest of the file is; pass --encoding'],
  ]);
});

it('the format of a CSV is detected from its first thousand records', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => `${index};10;5;7,5\n`).join('');
  const { records } = await readCsv(`${HEADER}\n${rows}1000;10;5;1.050,00\n1001;10;5;1.050\n`);
  expect(records.slice(999).map(({ errors }) => errors?.length)).toEqual([0, 0, 1]);
});

const ids = ['invoice_id', 'supplier_id'];
it.each([
  ['Nro. Factura;Proveedor;Importe total;Fecha de emisión', [...ids, 'system_amount', 'invoice_date']],
  ['Nº Factura;Cód. Proveedor;TOTAL;Fecha Factura', [...ids, 'system_amount', 'invoice_date']],
  ['Número de factura;Prestador;Monto;Orden de servicio', [...ids, 'system_amount', 'service_id']],
  ['Factura N°;ID Proveedor;Importe;Nro. Orden', [...ids, 'system_amount', 'service_number']],
  ['Comprobante;Nro. Proveedor;Importe del comprobante;Fecha comprobante', [...ids, 'system_amount', 'invoice_date']],
  ['NRO_CBTE;ProveedorId;ImporteTotal', [...ids, 'system_amount']],
  ['Invoice No.;Vendor Code;Total Amount;Issue Date', [...ids, 'system_amount', 'invoice_date']],
  ['Documento;Código de prestador;Localidad;Estado', [...ids, 'city', 'state_code']],
  ['ID Factura;Proveedor;Nro. Factura', [...ids, 'provider_invoice_number']],
])('the headings of an ERP are known: %s', async (header, fields) => {
  expect((await readCsv(`${header}\n`)).detected?.fields).toEqual(fields);
});

it('the error of an incomplete header lists the required columns, and that of a file without a table does not', async () => {
  const wanted = 'Every file must have invoice_id, supplier_id; new invoices also require service_id, system_amount.';
  await expect(readCsv('Factura;Importe\n')).rejects.toThrow(`${texts.missingFields('supplier_id').en} ${wanted}`);
  await expect(readCsv(Buffer.from('d0cf11e0', 'hex'))).rejects.toThrow(/"CSV UTF-8"\.$/);
});

it('the sheet of list-invoices is read as invoices unless it has decisions, with any types in ignored columns', async () => {
  const date: WorkbookCell = { number: '46265', format: 'date' };
  const cells: Readonly<Record<string, WorkbookCell>> = {
    ...{ supplier_id: '10', invoice_id: '1', invoice_date: date, declared_tax_pct: '21 %' },
    ...{ difference: date, declared_at: date, revision: date, reason: true },
  };
  const headings = INVOICE_LIST.columns.map(({ heading }) => heading);
  const rowOf = (decision: WorkbookCell) => headings.map((heading) => ({ ...cells, decision })[heading] ?? null);
  const { records } = await readCsv(workbookOf({ Review: [headings, rowOf(null), rowOf('APR')] }));
  expect(records[0]).toMatchObject({ value: { invoice_date: '2026-08-31', declared_tax_pct: '21' } });
  const findErrors = compileSchema(recordSchema);
  expect(records.map(({ value, errors = [] }) => [...errors, ...findErrors(value, '')])).toEqual([
    [],
    ['decision: is applied by the command decide, not by an import'],
  ]);
});

it.each([
  [{ state_name: 'X' }, 'state_name: is not a known property\n  The fields are supplier_id, invoice_id, '],
  [{ city: 5, account_name: '' }, 'account_name: the heading must be a string, in quotes\n  city: the heading'],
  [{}, 'must contain lines such as "invoice_id: My heading"'],
  [['city'], 'must contain lines such as'],
])('a map of columns is rejected with all its errors: %j', (document, reason) => {
  expect(() => readColumnMap(document)).toThrow(reason);
});

it('the guide has every field, and whether it is required, always or for a new invoice', () => {
  const rows = [...sectionOf(GUIDE, 'The fields').matchAll(/^\| `(\w+)` +\| ([\w ]*?) +\|/gm)];
  expect(rows.map(([, field]) => field)).toEqual(IMPORT_FIELDS);
  const findFields = (text: string) => rows.flatMap(([, field, required]) => (required === text ? [field] : []));
  expect(new Set(findFields('yes'))).toEqual(new Set(recordSchema.required));
  expect(new Set(findFields('if new'))).toEqual(new Set(REQUIRED_ON_CREATE));
});

it('the guide has a map of columns that is a part of the sample, and a complete concept', () => {
  const shown = parse(blockAfter(GUIDE, 'The file', 'yaml').replaceAll(/^ {2}/gm, ''));
  const sample = parse(guideText('infra/ops/invoices/sample-map.yaml'));
  expect(sample).toMatchObject(shown);
  expect(readColumnMap(sample)).toHaveLength(8);
  const concepts = JSON.parse(blockAfter(GUIDE, 'The fields', 'json')) as object[];
  const { required } = recordSchema.properties.concepts.items;
  expect(concepts.map((concept) => Object.keys(concept))).toEqual([[...required]]);
});
