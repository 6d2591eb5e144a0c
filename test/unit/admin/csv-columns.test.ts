import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readColumnMap } from '../../../lib/admin/import/column-map.ts';
import { FIELDS, recordSchema, REQUIRED_OF_NEW } from '../../../lib/admin/import/record-schema.ts';
import { readCsv, REQUIRED, REQUIRED_FIELDS, valuesOf } from '../../support/data/csv-records.ts';
import { blockAfter, sectionOf } from '../../support/guides/readme.ts';

const GUIDE = 'infra/ops/invoices/README.md';

const map = readColumnMap({
  invoice_id: 'Nro.',
  supplier_id: 'Prestador',
  service_id: 'Orden',
  system_amount: 'Importe',
});
const MAPPED = 'Nro.;Prestador;Orden;Importe';

describe('the separator of a CSV', () => {
  it.each([',', ';', '\t'])('may be %j, and the others are text then', async (separator) => {
    const header = [...REQUIRED_FIELDS, 'city'].join(separator);
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
    ['Nro.;Total\n', 'it has no Prestador (supplier_id), Orden (service_id), Importe (system_amount).'],
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

describe('the guide to an import', () => {
  it('has every field, and says which are required, always or of a new invoice', () => {
    const rows = [...sectionOf(GUIDE, 'The fields').matchAll(/^\| `(\w+)` +\| ([\w ]*?) +\|/gm)];
    expect(rows.map(([, field]) => field)).toEqual(FIELDS);
    const fieldsThatAre = (said: string) => rows.flatMap(([, field, required]) => (required === said ? [field] : []));
    expect(new Set(fieldsThatAre('yes'))).toEqual(new Set(recordSchema.required));
    expect(new Set(fieldsThatAre('if new'))).toEqual(new Set(REQUIRED_OF_NEW));
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
