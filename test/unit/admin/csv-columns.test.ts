import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readColumnMap } from '../../../infra/ops/invoices/import.ts';
import { type ReadOptions, readRecords } from '../../../lib/admin/import/read-records.ts';
import { IMPORT_FIELDS, recordSchema, REQUIRED_ON_CREATE } from '../../../lib/admin/import/record-schema.ts';
import type { SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { INVOICE_LIST } from '../../../infra/ops/invoices/reviewed-invoices.ts';
import { compileSchema } from '../../../infra/ops/find-errors.ts';
import type { DetectedFormat } from '../../../lib/spreadsheets/detected-format.ts';
import { texts } from '../../../lib/spreadsheets/spreadsheet-texts.ts';
import { type WorkbookCell, workbookOf } from '../../support/data/workbook.ts';
import { blockAfter, guideText, sectionOf } from '../../support/guides/readme.ts';

/** The records of a CSV, and how it was understood. */
async function readCsv(text: string | Buffer, options: ReadOptions = {}) {
  const records: SourceRecord[] = [];
  let detected: DetectedFormat<string> | undefined;
  const onDetectedFormat = (found: DetectedFormat<string>) => void (detected = found);
  for await (const record of readRecords(Readable.from([text]), 'csv', { ...options, onDetectedFormat }))
    records.push(record);
  return { records, detected };
}

const findErrors = compileSchema(recordSchema);
const errorsOf = ({ value, errors = [] }: SourceRecord) => [...errors, ...findErrors(value, '')];

/** The fields that a new invoice needs. */
const REQUIRED_FIELDS = [...recordSchema.required, ...REQUIRED_ON_CREATE];

/** A header of these. */
const REQUIRED = REQUIRED_FIELDS.join(';');

const GUIDE = 'infra/ops/invoices/README.md';

const renamed = { invoice_id: 'Nro.', supplier_id: 'Prestador', service_id: 'Orden', system_amount: 'Importe' };
const map = readColumnMap(renamed);
describe('a CSV of invoices', () => {
  it('has its amounts and dates read in all fields of them and in no others, under mapped headings, and leaves the rest out', async () => {
    const fields = ['invoice_date', 'service_call_date', 'provider_invoice_date', 'declared_amount', 'declared_notes'];
    const header = `Nro.;Moneda;Prestador;;Orden;Importe;city;${fields.join(';')}`;
    const read = await readCsv(`${header}\n1;ARS;10;x;5;1.050,00;Salta;31/08/2026;1/9/2026;2/9/2026;2.000;2.000\n`, {
      map,
    });
    const ids = { invoice_id: '1', supplier_id: '10', service_id: '5', city: 'Salta' };
    const dates = { invoice_date: '2026-08-31', service_call_date: '2026-09-01', provider_invoice_date: '2026-09-02' };
    const declared = { declared_amount: '2000', declared_notes: '2.000' };
    expect(read.records.map(({ value }) => value)).toEqual([
      { ...ids, system_amount: '1050.00', ...dates, ...declared },
    ]);
    const mapped = ['invoice_id', null, 'supplier_id', null, 'service_id', 'system_amount', 'city'];
    expect(read.detected?.fields).toEqual([...mapped, ...fields]);
  });

  it('names the option that says what is not clear', async () => {
    const text = Buffer.from(`${REQUIRED};invoice_date;city\n1;10;5;1.050;1/9/2026;x\n`);
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

  it('is understood by its first thousand records', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => `${index};10;5;7,5\n`).join('');
    const { records } = await readCsv(`${REQUIRED}\n${rows}1000;10;5;1.050,00\n1001;10;5;1.050\n`);
    expect(records.slice(999).map(({ errors }) => errors?.length)).toEqual([0, 0, 1]);
  });
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
  [
    'ID Factura;Proveedor;Nro. Factura;Fecha factura proveedor',
    [...ids, 'provider_invoice_number', 'provider_invoice_date'],
  ],
])('the headings of an ERP are known: %s', async (header, fields) => {
  expect((await readCsv(`${header}\n`)).detected?.fields).toEqual(fields);
});

it('a file that is not a table is rejected without a list of columns, a header that is not complete with one', async () => {
  const wanted = 'Every file must have invoice_id, supplier_id; new invoices also require service_id, system_amount.';
  await expect(readCsv('Factura;Importe\n')).rejects.toThrow(`${texts.missingFields('supplier_id').en} ${wanted}`);
  await expect(readCsv(Buffer.from('d0cf11e0', 'hex'))).rejects.toThrow(/"CSV UTF-8"\.$/);
});

it('the sheet of list-invoices is read as invoices, whatever types its ignored columns have, unless it has decisions', async () => {
  const date: WorkbookCell = { number: '46265', format: 'date' };
  const cells: Readonly<Record<string, WorkbookCell>> = {
    ...{ supplier_id: '10', invoice_id: '1', invoice_date: date, declared_tax_pct: '21 %' },
    ...{ difference: date, declared_at: date, revision: date, reason: true },
  };
  const headings = INVOICE_LIST.columns.map(({ heading }) => heading);
  const rowOf = (decision: WorkbookCell) => headings.map((heading) => ({ ...cells, decision })[heading] ?? null);
  const { records } = await readCsv(workbookOf({ Review: [headings, rowOf(null), rowOf('APR')] }));
  expect(records[0]).toMatchObject({ value: { invoice_date: '2026-08-31', declared_tax_pct: '21' } });
  expect(records.map(errorsOf)).toEqual([[], ['decision: is applied by the command decide, not by an import']]);
});

it.each([
  [{ state_name: 'X' }, 'state_name: is not a field; the fields are supplier_id, invoice_id, '],
  [{ city: 5, account_name: '', concepts: null }, 'city: the heading must be a string, in quotes\n  account_name: the'],
  [{}, 'it contains no field'],
  [['city'], 'must contain lines such as "invoice_id: My heading"'],
  [null, 'must contain lines'],
])('a map of columns is refused as %j, with everything that is wrong with it', (document, reason) => {
  expect(() => readColumnMap(document)).toThrow(reason);
});

describe('the guide to an import', () => {
  it('has every field, and says which are required, always or of a new invoice', () => {
    const rows = [...sectionOf(GUIDE, 'The fields').matchAll(/^\| `(\w+)` +\| ([\w ]*?) +\|/gm)];
    expect(rows.map(([, field]) => field)).toEqual(IMPORT_FIELDS);
    const fieldsThatAre = (said: string) => rows.flatMap(([, field, required]) => (required === said ? [field] : []));
    expect(new Set(fieldsThatAre('yes'))).toEqual(new Set(recordSchema.required));
    expect(new Set(fieldsThatAre('if new'))).toEqual(new Set(REQUIRED_ON_CREATE));
  });

  it('shows a map that can be used, as the sample has it, and a concept that an import takes', () => {
    const shown = parse(blockAfter(GUIDE, 'The file', 'yaml').replaceAll(/^ {2}/gm, ''));
    const sample = parse(guideText('infra/ops/invoices/sample-map.yaml'));
    expect(sample).toMatchObject(shown);
    expect(readColumnMap(sample)).toHaveLength(8);
    const concepts = JSON.parse(blockAfter(GUIDE, 'The fields', 'json')) as object[];
    const { required } = recordSchema.properties.concepts.items;
    expect(concepts.map((concept) => Object.keys(concept))).toEqual([[...required]]);
  });
});
