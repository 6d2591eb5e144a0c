import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readColumnMap } from '../../../lib/admin/import/column-map.ts';
import type { CsvHeader } from '../../../lib/admin/import/csv-header.ts';
import { type ReadOptions, readRecords } from '../../../lib/admin/import/read-records.ts';
import type { SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { FIELDS, recordSchema } from '../../../lib/admin/import/record-schema.ts';
import { blockAfter, sectionOf } from '../../support/guides/readme.ts';

const GUIDE = 'infra/ops/invoices/README.md';

/** The records of a CSV, and what was read of its header. */
async function readCsv(text: string | Buffer, options: ReadOptions = {}) {
  const records: SourceRecord[] = [];
  let header: CsvHeader | undefined;
  const onHeader = (read: CsvHeader) => void (header = read);
  for await (const record of readRecords(Readable.from([text]), 'csv', { ...options, onHeader })) records.push(record);
  return { records, header };
}

const valuesOf = ({ records }: { records: readonly SourceRecord[] }) =>
  records.map((record) => ('value' in record ? record.value : record.fault));

const REQUIRED = recordSchema.required.join(';');
const map = readColumnMap({
  invoice_id: 'Nro.',
  supplier_id: 'Prestador',
  service_id: 'Orden',
  system_amount: 'Importe',
});
const MAPPED = 'Nro.;Prestador;Orden;Importe';

describe('the separator of a CSV', () => {
  it.each([',', ';', '\t'])('may be %j, and the others are text then', async (separator) => {
    const header = [...recordSchema.required, 'city'].join(separator);
    const city = [',', ';', '\t'].filter((other) => other !== separator).join('x');
    const { records } = await readCsv(`${header}\n${['1', '10', '5', '7', city].join(separator)}\n`);
    expect(records).toMatchObject([{ value: { invoice_id: '1', system_amount: '7', city } }]);
  });

  it('is that with which most columns are known', async () => {
    const { header } = await readCsv('invoice_id;supplier_id;service_id;system_amount\n');
    expect(header).toMatchObject({ separator: ';', leftOut: [] });
    const quoted = await readCsv('invoice_id,supplier_id,"service_id",system_amount,"a;b"\n', {
      map: readColumnMap({ city: 'a;b' }),
    });
    expect(quoted.header).toMatchObject({ separator: ',' });
  });

  it('stands within quotes as text', async () => {
    const { records } = await readCsv(`${REQUIRED};city\n1;10;5;7;"a;""b"""\n`);
    expect(records).toMatchObject([{ value: { city: 'a;"b"' } }]);
  });
});

describe('a map of columns', () => {
  it('finds the fields under their headings, and leaves the other columns out', async () => {
    const read = await readCsv(`Nro.;Moneda;Prestador;;Orden;Importe;city\n1;ARS;10;x;5;7;Salta\n`, { map });
    expect(valuesOf(read)).toEqual([
      { invoice_id: '1', supplier_id: '10', service_id: '5', system_amount: '7', city: 'Salta' },
    ]);
    expect(read.header?.leftOut).toEqual(['Moneda', '']);
  });

  it('does not mind blanks around a heading, nor how its accents are stored', async () => {
    const odd = readColumnMap({ ...Object.fromEntries(map), city: ' Poblacio\u0301n ' });
    const read = await readCsv(` Nro. ;Prestador;Orden;"Importe ";Población\n1;10;5;7;Salta\n`, { map: odd });
    expect(valuesOf(read)).toMatchObject([{ city: 'Salta' }]);
  });

  it.each([
    [`${MAPPED};Nro.\n`, 'it names Nro. twice.'],
    [`${MAPPED};invoice_id\n`, 'it has Nro. and invoice_id, which are both invoice_id.'],
    ['Nro.;Prestador;Total\n', 'it has no Orden (service_id), Importe (system_amount).'],
    ['A;B\n', 'it names no column that is known'],
  ])('has everything named that does not fit the header %j', async (text, reason) => {
    await expect(readCsv(text, { map })).rejects.toThrow(reason);
  });

  it.each([
    [{ numero: 'X' }, 'numero: is not a field; the fields are invoice_id, supplier_id, '],
    [{ state_name: 'X' }, 'state_name: is not a field'],
    [
      { city: 'X', account_name: ' X' },
      'city: has the heading "X" of account_name\n  account_name: has the heading " X" of city',
    ],
    [{ city: 5, account_name: '', concepts: null }, 'city: its heading must be a text, in quotes\n  account_name: its'],
    [{}, 'it names no field'],
    [['city'], 'is not a list of lines such as "invoice_id: My heading"'],
    [null, 'is not a list of lines'],
    ['city', 'is not a list of lines'],
  ])('is refused as %j, with everything that is wrong with it', (document, reason) => {
    expect(() => readColumnMap(document)).toThrow(reason);
  });
});

describe('the amounts of a CSV', () => {
  const amounts = async (text: string, options: ReadOptions = {}, separator = ';') => {
    const header = [...recordSchema.required, 'declared_amount'].join(separator);
    const row = ['1', '10', '5', `"${text}"`, `"${text}"`].join(separator);
    const { records } = await readCsv(`${header}\n${row}\n`, options);
    const [record] = records;
    if (!record || !('value' in record)) throw new Error('The record was not read.');
    const { system_amount: amount, declared_amount: declared } = record.value as Record<string, unknown>;
    expect(declared).toBe(amount);
    return { amount, faults: record.faults };
  };

  it.each([
    ['1.050,00', '1050.00'],
    ['1.050', '1050'],
    ['12.345.678,9', '12345678.9'],
    ['1050,5', '1050.5'],
    ['1050', '1050'],
    [' 7,25 ', '7.25'],
    ['-3,5', '-3.5'],
    ['0', '0'],
  ])('with --decimal comma: %s is %s', async (text, amount) => {
    expect(await amounts(text, { decimal: 'comma' })).toEqual({ amount, faults: [] });
  });

  it.each(['1050.00', '1,050.00', '1.05', '10.50,00', '1.050,', ',5', '1 050,00', '$ 5', 'x', '1e3'])(
    'with --decimal comma refuse %s',
    async (text) => {
      const reason = 'must be written with a decimal comma, such as 1.050,00';
      const faults = [`system_amount: ${reason}`, `declared_amount: ${reason}`];
      expect(await amounts(text, { decimal: 'comma' })).toEqual({ amount: text, faults });
    },
  );

  it.each(['1050.00', '1.5', '1e3', '1050', '1.0500'])('without it take %s as it is', async (text) => {
    expect(await amounts(text)).toEqual({ amount: text, faults: [] });
  });

  it('without it refuse a comma, and between semicolons or tabs what may be either', async () => {
    expect((await amounts('1.050,00')).faults?.[0]).toBe(
      'system_amount: has a decimal comma, which --decimal comma reads',
    );
    expect((await amounts('7,5', { decimal: 'point' })).faults).toHaveLength(2);
    const unclear = 'system_amount: has a point before three digits: say --decimal comma or --decimal point';
    for (const separator of [';', '\t']) expect((await amounts('1.050', {}, separator)).faults?.[0]).toBe(unclear);
    expect(await amounts('1.050', { decimal: 'point' })).toEqual({ amount: '1.050', faults: [] });
    expect(await amounts('1.050', {}, ',')).toEqual({ amount: '1.050', faults: [] });
  });
});

describe('the dates of a CSV', () => {
  const dates = async (text: string, options: ReadOptions = {}) => {
    const { records } = await readCsv(`${REQUIRED};invoice_date\n1;10;5;7;${text}\n`, options);
    const [record] = records;
    if (!record || !('value' in record)) throw new Error('The record was not read.');
    return { date: (record.value as { invoice_date: string }).invoice_date, faults: record.faults };
  };

  it.each([
    ['24/08/2026', '2026-08-24'],
    ['4/8/2026', '2026-08-04'],
    ['24-08-2026', '2026-08-24'],
    ['24.08.2026', '2026-08-24'],
    [' 24/08/2026 ', '2026-08-24'],
    ['24/08/2026 09:30', '2026-08-24T09:30'],
    ['24/08/2026 09:30:15', '2026-08-24T09:30:15'],
    ['2026-08-24', '2026-08-24'],
    ['08/24/2026', '2026-24-08'],
    ['24/08/26', '24/08/26'],
    ['24/08-2026', '24/08-2026'],
  ])('with --day-first: %s is %s', async (text, date) => {
    expect(await dates(text, { dayFirst: true })).toEqual({ date, faults: [] });
  });

  it('without it are refused where the day or the month is first', async () => {
    const faults = ['invoice_date: has no year first: --day-first reads 24/08/2026'];
    expect(await dates('05/08/2026')).toEqual({ date: '05/08/2026', faults });
  });

  it('are all fields of dates, and no others', async () => {
    const fields = ['invoice_date', 'service_call_date', 'provider_invoice_date', 'declared_notes'];
    const row = `${REQUIRED};${fields.join(';')}\n1;10;5;7${';24/08/2026'.repeat(fields.length)}\n`;
    const [value] = valuesOf(await readCsv(row, { dayFirst: true }));
    expect(value).toMatchObject({
      invoice_date: '2026-08-24',
      service_call_date: '2026-08-24',
      provider_invoice_date: '2026-08-24',
      declared_notes: '24/08/2026',
    });
  });
});

describe('the encoding of a CSV', () => {
  const windows: ReadOptions = { encoding: 'windows-1252' };

  it('may be Windows-1252, also in headings', async () => {
    const city = readColumnMap({ city: 'Población' });
    const text = Buffer.from(`${REQUIRED};Poblaci\xf3n\n1;10;5;7;C\xf3rdoba \x80\n`, 'latin1');
    expect(valuesOf(await readCsv(text, { ...windows, map: city }))).toMatchObject([{ city: 'Córdoba €' }]);
  });

  it('is not taken for Windows-1252 where it is UTF-8', async () => {
    const records = Buffer.from(`${REQUIRED};city\n1;10;5;7;Salta\n2;10;5;7;Córdoba\n`);
    expect(valuesOf(await readCsv(records, windows))).toMatchObject([
      { city: 'Salta' },
      'record: is UTF-8, not Windows-1252',
    ]);
    const header = Buffer.from(`${REQUIRED};Población\n`);
    await expect(readCsv(header, windows)).rejects.toThrow('The header is UTF-8, not Windows-1252.');
  });
});

describe('the guide to an import', () => {
  it('has every field, and says which are required', () => {
    const rows = [...sectionOf(GUIDE, 'The fields').matchAll(/^\| `(\w+)` +\| (\w*)/gm)];
    expect(rows.map(([, field]) => field)).toEqual(FIELDS);
    const required = rows.flatMap(([, field = '', isRequired]) => (isRequired === 'yes' ? [field] : []));
    expect(new Set(required)).toEqual(new Set(recordSchema.required));
  });

  it('shows a map that can be used, as the sample has it', () => {
    const shown = parse(blockAfter(GUIDE, 'The file', 'yaml').replaceAll(/^ {2}/gm, ''));
    const sample = parse(readFileSync(new URL('../../../infra/ops/invoices/sample-map.yaml', import.meta.url), 'utf8'));
    expect(sample).toMatchObject(shown);
    expect(readColumnMap(sample).size).toBe(8);
  });

  it('shows a concept that an import takes', () => {
    const concepts = JSON.parse(blockAfter(GUIDE, 'The fields', 'json')) as object[];
    const { required } = recordSchema.properties.concepts.items;
    expect(concepts.map((concept) => Object.keys(concept))).toEqual([[...required]]);
  });
});
