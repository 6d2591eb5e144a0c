import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { dateForms } from '../../../lib/domain/texts.ts';
import { compileSchema } from '../../../infra/ops/input/compile-schema.ts';
import { readColumnMap } from '../../../infra/ops/import/format-options.ts';
import {
  type Format,
  type ReadOptions,
  readRecords,
  type SourceRecord,
} from '../../../infra/ops/import/read-records.ts';
import { recordSchema, REQUIRED_ON_CREATE } from '../../../infra/ops/import/record-schema.ts';
import { INVOICE_LIST } from '../../../infra/ops/review/invoice-list.ts';
import type { DetectedFormat } from '../../../lib/client/spreadsheets/read-table.ts';
import { texts } from '../../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { type WorkbookCell, buildWorkbook } from '../../support/data/workbook.ts';

const read = (format: Format, ...chunks: (string | Buffer)[]): Promise<SourceRecord[]> =>
  Readable.from(readRecords(Readable.from(chunks), format)).toArray();

const columns = 'invoice_id,supplier_id,city,concepts,system_amount';
const findErrors = compileSchema(recordSchema);
const findRecordErrors = (overrides: object) =>
  findErrors({ invoice_id: '1', supplier_id: '10', service_id: '5', system_amount: '100', ...overrides }, '');

it('NDJSON is read with all digits of its amounts, without empty lines, and each error has its line', async () => {
  const first = '{"system_amount":123456789012.123456,"x":1}';
  const records = await read('ndjson', `\uFEFF${first}\r\n\n`, '{"system_amount":', '1.50}\n{"a":\n{}');
  expect(records).toEqual([
    { line: 1, source: first, value: { system_amount: '123456789012.123456', x: 1 } },
    { line: 3, source: '{"system_amount":1.50}', value: { system_amount: '1.50' } },
    { line: 4, source: '"{\\"a\\":"', errors: ['record: is not valid JSON'] },
    { line: 5, source: '{}', value: {} },
  ]);
});

it('NDJSON without a final line end is read completely, wherever its chunks end, and only LF ends a line', async () => {
  const lines = ['{"city":"Córdoba €\ufffd😀"}', '{"city":"a\u2028b\u2029"}'];
  const bytes = Buffer.from(`\uFEFF${lines.join('\r\n\r\n')}`);
  for (let size = 1; size <= bytes.length; size++) {
    const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
    const records = await read('ndjson', ...starts.map((at) => bytes.subarray(at, at + size)));
    expect(records.map(({ line, source }) => [line, source])).toEqual([
      [1, lines[0]],
      [3, lines[1]],
    ]);
  }
});

it('NDJSON is read up to a line that is longer than any record can be', async () => {
  const records = readRecords(Readable.from(['{}\n', ...Array<string>(9).fill('x'.repeat(1024 * 1024))]), 'ndjson');
  expect(await records.next()).toMatchObject({ value: { line: 1 } });
  await expect(records.next()).rejects.toThrow('Line 2 has more than 8388608 bytes.');
});

it('an NDJSON record with bytes that are not UTF-8 is rejected', async () => {
  const [before, after] = [Buffer.from('\ufeff{"city":"ñ\ufffd'), Buffer.from('x"}\n{}')];
  const records = await read('ndjson', Buffer.concat([before, Buffer.from([0xe2, 0x82]), after]));
  expect(records).toMatchObject([{ errors: ['record: is not UTF-8'] }, { line: 2, value: {} }]);
});

it.each(['[{"invoice_id":"1"}]', '\ufeff[\n{}\n]', '{\n"invoice_id":"1"\n}'])(
  'a file of JSON that is not NDJSON is one error with the expected format: %j',
  async (text) => {
    await expect(read('ndjson', text)).rejects.toThrow('The file must have one record in each line.');
  },
);

it('a record is rejected if an object of its JSON has a name twice', async () => {
  const concept = '{"total":1,"total":2}';
  const errors = ['record: has a name twice in an object'];
  const repeated = ['{"city":"a","city":"b"}', '{"city":"a", "city" :"a"}', `{"concepts":[${concept}]}`];
  expect((await read('ndjson', repeated.join('\n'))).map((record) => record.errors)).toEqual(
    repeated.map(() => errors),
  );
  const valid = ['{"a":"b: c","d\\"":":","e":{"a":1},"f":["x",":y",{"a":":"},{"a":1}]}', '"a:"', '[":",":"]'];
  expect(await read('ndjson', valid.join('\n'))).toMatchObject(
    valid.map((source) => ({ source, value: JSON.parse(source) })),
  );
  const csv = `${columns}\n1,10,,"[${concept.replaceAll('"', '""')}]",\n`;
  expect(await read('csv', csv)).toMatchObject([{ errors: ['concepts: has a name twice in an object'] }]);
});

it('the zone is added only to the dates by which lists are sorted', async () => {
  const dates = { invoice_date: '2026-08-31', service_call_date: '2026-08-31T22:30' };
  const others = { provider_invoice_date: '2026-08-31', city: '2026-08-31' };
  const lines = [{ ...dates, ...others }, { invoice_date: null, service_call_date: 5 }, [dates], 'x', null];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`);
  const records = readRecords(Readable.from(text), 'ndjson', { zone: '-03:00' });
  const values = (await Readable.from(records).toArray()).map(({ value }) => value);
  const zoned = { invoice_date: '2026-08-31T00:00:00-03:00', service_call_date: '2026-08-31T22:30-03:00' };
  expect(values).toEqual([{ ...zoned, ...others }, ...lines.slice(1)]);
});

it('a CSV is read by its header, with concepts as JSON and all digits of amounts', async () => {
  const records = await read('csv', `\uFEFF${columns}\r\n1,10,,"[{""unit_amount"":1.10}]",123456789012.123456\r\n`);
  const amounts = { concepts: [{ unit_amount: '1.10' }], system_amount: '123456789012.123456' };
  const value = { invoice_id: '1', supplier_id: '10', ...amounts };
  expect(records).toEqual([{ line: 2, source: JSON.stringify(value), value, errors: [] }]);
});

it('a CSV cell is null for the word null, and a record has its line even after a cell with several lines', async () => {
  const records = await read('csv', `${columns}\n1,NULL,null,"null",null\n2,10,"San\nJuan",[,\n3,10,,[],\n`);
  expect(records).toMatchObject([
    { line: 2, value: { supplier_id: 'NULL', city: null, concepts: null, system_amount: null } },
    { line: 3, errors: ['concepts: is not valid JSON'] },
    { line: 5, value: { concepts: [] } },
  ]);
});

const total = 'invoice_id: has no digits, but the row has an amount: if this is a total, delete the row';
it.each<[what: string, invoiceId: string, value: string, amount: string, errors: string[]]>([
  ['without its blanks', '" 0080101 "', '0080101', '1', []],
  ['without the apostrophe of a text', "'0080101", '0080101', '1', []],
  ['with the error of a total', 'Total', 'Total', '1', [total]],
  ['with the error of a total if it is empty', '', '', '1', [total]],
  ['without the error of a total if there is no amount', 'Total', 'Total', '', []],
])('the id of a CSV record is read %s', async (_, invoiceId, value, amount, errors) => {
  const records = await read('csv', `${columns}\n${invoiceId},10,,,${amount}\n`);
  expect(records).toMatchObject([{ value: { invoice_id: value, supplier_id: '10' }, errors }]);
});

it('an invoice record requires its ids, and can have computed fields and null in optional fields', () => {
  expect(findErrors({}, '')).toEqual(['invoice_id: is required', 'supplier_id: is required']);
  expect(findErrors({ invoice_id: '1', supplier_id: '10' }, '')).toEqual([]);
  expect(findErrors(7, '')).toEqual(['record: must be an object']);
  const required: readonly string[] = [...recordSchema.required, ...REQUIRED_ON_CREATE];
  const optional = Object.keys(recordSchema.properties).filter((name) => !required.includes(name));
  expect(findRecordErrors(Object.fromEntries(optional.map((name) => [name, null])))).toEqual([]);
  expect(findRecordErrors({ state_name: 'Pendiente', difference: 1.5, difference_pct: 2 })).toEqual([]);
});

const files = 'https://files.example';
it('an invoice record can have any exact amount, a date from 2000 to 2100, and any address of http or https', () => {
  for (const system_amount of ['0', '0.000001', '1e3', '999999999999.99', '1128.1100000000001'])
    expect(findRecordErrors({ system_amount })).toEqual([]);
  for (const invoice_date of ['2000-01-01', '2100-12-31']) expect(findRecordErrors({ invoice_date })).toEqual([]);
  expect(findRecordErrors({ provider_invoice_date: '1999-12-31' })).toEqual([]);
  for (const path of [`${files}/A-1.pdf?v=1#page`, 'http://files.example:8080/a b.pdf', 'HTTPS://FILES.EXAMPLE/año'])
    expect(findRecordErrors({ attachment_url: path })).toEqual([]);
});

const tooLong = (length: number) => 'x'.repeat(length + 1);
const { notesLength, invoiceNumberLength } = LIMITS;
// A portal shows attachment_url as a link.
const invalidLinks = [
  ...['javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,<b>', 'ftp://files.example/a.pdf'],
  ...['//files.example/a.pdf', 'https:files.example/a.pdf', 'https://', `${files}/a\u001b[2J.pdf`, '', 5],
  ...[`${files}/\ud83d`, ` ${files}/a.pdf`, `${files}/${tooLong(1000)}`],
];
const invalidAmounts = ['', '-1', '-0', '1,5', '0x10', '1000000000000', '1e99', 'NaN', null, 5];
it.each<[field: string, error: string, values: readonly unknown[]]>([
  ['attachment_url', 'must be an http or https address of at most 1000 characters', invalidLinks],
  ['system_amount', 'must be a number from 0 to 999999999999.99', invalidAmounts],
  ['invoice_id', 'must be a string of 1 to 20 digits', ['A1']],
  ['supplier_id', 'must be a string of 1 to 20 digits', [10]],
  ['invoice_date', 'must be an ISO 8601 date from 2000 to 2100', ['2026-02-30', '1999-12-31T23:59Z', '2101-01-01']],
  ['provider_invoice_date', `must be ${dateForms.en}`, ['2026-02-30']],
  ['state_code', 'must be one of PEN, ENV, APR, REV, REC, AJU, LIQ', ['NON']],
  ['declared_notes', `must be a string of at most ${notesLength} characters`, [tooLong(notesLength)]],
  [
    'provider_invoice_number',
    `must be a string of at most ${invoiceNumberLength} characters`,
    [tooLong(invoiceNumberLength)],
  ],
  ['city', 'must be a string of at most 1000 characters', ['a\ud800']],
  ['acount_name', 'is not a known property', ['x']],
  ['concepts', 'must be a list', [{}]],
])('an invoice record is rejected with the error "%s: %s"', (field, error, values) => {
  for (const value of values)
    expect([value, findRecordErrors({ [field]: value })]).toEqual([value, [`${field}: ${error}`]]);
});

it('an invoice record has the errors of its concepts with their positions', () => {
  const concept = { concept_id: '1', description: 'x', unit_amount: '-5', quantity: '1', tax_pct: '21', total: '-5' };
  expect(findRecordErrors({ concepts: [concept, { ...concept, tax_pct: '101', total: 'x' }] })).toEqual([
    'concepts[1].tax_pct: must be a number from 0 to 100',
    'concepts[1].total: must be a number up to 999999999999.99',
  ]);
});

/** Reads a CSV. Returns its records and the detected format. */
async function readCsv(text: string | Buffer, options: ReadOptions = {}) {
  let detected: DetectedFormat<string> | undefined;
  const onDetectedFormat = (found: DetectedFormat<string>) => void (detected = found);
  const source = readRecords(Readable.from([text]), 'csv', { ...options, onDetectedFormat });
  return { records: await Readable.from(source).toArray(), detected };
}

const HEADER = [...recordSchema.required, ...REQUIRED_ON_CREATE].join(';');

it('a CSV with a map has its amounts and dates parsed, and its unknown columns ignored', async () => {
  const renamed = { invoice_id: 'Nro.', supplier_id: 'Prestador', service_id: 'Orden', system_amount: 'Importe' };
  const map = readColumnMap(renamed);
  const fields = ['invoice_date', 'service_call_date', 'provider_invoice_date', 'declared_amount', 'declared_notes'];
  const header = `Nro.;Moneda;Prestador;;Orden;Importe;city;${fields.join(';')}`;
  const row = '1;ARS;10;x;5;1.050,00;Salta;31/08/2026;1/9/2026;2/9/2026;2.000,00;2.000';
  const { records, detected } = await readCsv(`${header}\n${row}\n`, { map });
  const ids = { invoice_id: '1', supplier_id: '10', service_id: '5', city: 'Salta' };
  const dates = { invoice_date: '2026-08-31', service_call_date: '2026-09-01', provider_invoice_date: '2026-09-02' };
  const amounts = { system_amount: '1050.00', declared_amount: '2000.00', declared_notes: '2.000' };
  expect(records.map(({ value }) => value)).toEqual([{ ...ids, ...dates, ...amounts }]);
  const mapped = ['invoice_id', null, 'supplier_id', null, 'service_id', 'system_amount', 'city'];
  expect(detected?.fields).toEqual([...mapped, ...fields]);
});

it('the error of an ambiguous cell names the option that resolves it', async () => {
  const text = Buffer.from(`${HEADER};invoice_date;city\n1;10;5;1.050;1/9/2026;x\n`);
  const bytes = Buffer.concat([text, Buffer.from('2;10;5;1;;ñ\n3;10;5;1;;'), Buffer.from('ñ\n', 'latin1')]);
  const { records } = await readCsv(bytes);
  expect(records.map(({ errors }) => errors)).toEqual([
    [
      'system_amount: may be 1050 or 1,0500: write one of these; or pass --decimal',
      'invoice_date: may be 2026-09-01 or 2026-01-09: write one of these; or pass --day-first',
    ],
    [],
    ['city: has bytes that are not UTF-8, unlike the rest of the file: save it as "CSV UTF-8"'],
  ]);
});

const ids = ['invoice_id', 'supplier_id'];
it.each([
  ['Nro. Factura;Proveedor;Importe total;Fecha de emisión', [...ids, 'system_amount', 'invoice_date']],
  ['Documento;Código de prestador;Localidad;Estado', [...ids, 'city', 'state_code']],
  ['ID Factura;Proveedor;Nro. Factura', [...ids, 'provider_invoice_number']],
])('usual headings of an ERP are assigned to fields: %s', async (header, fields) => {
  expect((await readCsv(`${header}\n`)).detected?.fields).toEqual(fields);
});

it('the error of an incomplete header lists the required columns, but not the error of a file without a table', async () => {
  const wanted = 'The required columns are invoice_id, supplier_id.';
  const missing = texts.missingFields('supplier_id', '"Factura" → invoice_id, "Importe" → system_amount');
  await expect(readCsv('Factura;Importe\n')).rejects.toThrow(`${missing.en} ${wanted}`);
  await expect(readCsv(Buffer.from('d0cf11e0', 'hex'))).rejects.toThrow(/without a password\.$/);
});

it('a sheet of list-invoices is imported unless it has decisions, with cells of any type in ignored columns', async () => {
  const date: WorkbookCell = { number: '46265', format: 'date' };
  const cells: Readonly<Record<string, WorkbookCell>> = {
    ...{ supplier_id: '10', invoice_id: '1', invoice_date: date, declared_tax_pct: '21 %' },
    ...{ difference: date, declared_at: date, revision: date, reason: true },
  };
  const headings = Object.keys(INVOICE_LIST.columns);
  const buildRow = (decision: WorkbookCell) => headings.map((heading) => ({ ...cells, decision })[heading] ?? null);
  const { records } = await readCsv(buildWorkbook({ Review: [headings, buildRow(null), buildRow('APR')] }));
  expect(records[0]).toMatchObject({ value: { invoice_date: '2026-08-31', declared_tax_pct: '21' } });
  expect(records.map(({ value, errors = [] }) => [...errors, ...findErrors(value, '')])).toEqual([
    [],
    ['decision: is applied by the command decide, not by an import'],
  ]);
});

it.each([
  [{ state_name: 'X', city: 5, account_name: ' ', supplier_id: 'Prov.' }, 'state_name, city, account_name'],
  [{}, 'none'],
  [null, 'none'],
  [['city'], '0'],
])('a map of columns is rejected with its invalid lines and the fields: %j', (document, invalid) => {
  expect(() => readColumnMap(document)).toThrow(` Invalid: ${invalid}. The fields are supplier_id, invoice_id, `);
});
