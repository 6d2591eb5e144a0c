import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { FieldSpec } from '../../../../lib/client/spreadsheets/find-columns.ts';
import { readTable } from '../../../../lib/client/spreadsheets/read-table.ts';
import { texts } from '../../../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { readSheet, type ReadOptions } from '../../../support/data/spreadsheets.ts';

const mapFields = (fields: object): ReadOptions => ({ map: Object.entries(fields) as NonNullable<ReadOptions['map']> });
const ignore = (heading: string): ReadOptions => ({ map: [[null, heading]] });

const spellings = 'id|ID|Factura| FACTURA |Nro. de factura|N.º de\nfactura|Número de la factura|Factura N°|NroFactura';
it.each([
  ['id', [...spellings.split('|'), 'FACTURA #', 'nº_factura']],
  ['amount', ['Importe', 'MONTO', 'Amount']],
  ['tax', ['% de IVA', '% iva', 'TAX']],
])('a heading of the field %s is known in any spelling', async (field, headings) => {
  for (const heading of headings) {
    const others = ['id', 'amount'].filter((other) => other !== field);
    const text = `${others.join(';')};"${heading}"\n${others.map(() => 7).join(';')};5\n`;
    const { format, rows } = await readSheet(text);
    expect(rows).toMatchObject([{ [field]: '5' }]);
    if (heading.trim() !== field) expect(format[1]).toBe(`${field} from "${heading.trim()}".`);
  }
});

it.each<[string, ReadOptions, object]>([
  ['by its name', mapFields({ amount: 'Señal ' }), { amount: '5' }],
  ['in another form of Unicode', mapFields({ amount: 'Señal'.normalize('NFD') }), { amount: '5' }],
  ['as an ignored heading', ignore('Señal'), { id: '1' }],
  ['as any other heading, if other headings are ignored', { ignoresOtherColumns: true }, { id: '1' }],
])('an unknown heading can be given by an option: %s', async (_, options, values) => {
  const { format, rows } = await readSheet('id;Señal\n1;5\n', options);
  expect(rows).toMatchObject([values]);
  expect(format[1]).toBe('amount' in values ? 'amount from "Señal".' : '"Señal" left out.');
});

it('a column without a heading is ignored', async () => {
  expect((await readSheet('id;;city\n1;y;x\n')).rows).toEqual([{ line: 2, id: '1', city: 'x' }]);
});

it('a heading that matches two fields belongs to the first field that has no exclusive column', async () => {
  const fields: Record<'ours' | 'theirs', FieldSpec> = {
    ours: { kind: 'text', headings: ['factura', 'no factura'] },
    theirs: { kind: 'text', headings: ['no factura'] },
  };
  const detectFields = async (header: string) => {
    const { detected } = await readTable(Readable.from([header]), { fields, required: ['ours'] });
    return detected.fields;
  };
  expect(await detectFields('Nro. Factura')).toEqual(['ours']);
  expect(await detectFields('Nro. Factura;Factura')).toEqual(['theirs', 'ours']);
  await expect(detectFields('Nro. Factura;Factura N°')).rejects.toThrow('More than one column matches ours');
});

it('a file with one column is not read completely before its first row', async () => {
  let chunks = 0;
  async function* input() {
    for (; chunks < 1000; chunks += 1) yield chunks === 0 ? 'ours\n' : '1\n'.repeat(32 * 1024);
  }
  await readTable(input(), { fields: { ours: { kind: 'text' } }, required: ['ours'], sample: 5 });
  expect(chunks).toBeLessThan(100);
});

it('a header is found after at most 19 lines of titles or of another table', async () => {
  const repeatTitle = (count: number) => 'Agosto\n'.repeat(count);
  const { format } = await readSheet(`${repeatTitle(19)}id;city\n1;x\n`);
  expect(format).toEqual(['Read as UTF-8, separated by semicolons, headings in row 20.']);
  const otherTable = await readSheet('city;amount;date\nid;city\n1;x\n');
  expect(otherTable.rows).toEqual([{ line: 3, id: '1', city: 'x' }]);
  await expect(readSheet(`${repeatTitle(20)}id;city\n1;x\n`)).rejects.toThrow(texts.missingFields('id', '').en);
  const missingId = texts.missingFields('id', '"city" → city, "Monto" → amount').en;
  await expect(readSheet(`Agosto\ncity;Monto\n`)).rejects.toThrow(missingId);
});

const mapsAmount = mapFields({ amount: 'Neto' });
const mapsId = { ...mapFields({ id: 'X' }), ignoresOtherColumns: true };
const notInFile = [texts.notInFile('Neto', '"id", "X"'), texts.notInFile('Y', '"id", "X"')];
const twoCities = texts.twoHeadings('city', '"city", "city"');
const missingId = texts.missingFields('id', '"city" → city, "city" → city');
const allErrors = [texts.unknownHeadings('"X"'), texts.twoHeadings('city', '"city", "city"'), missingId];
const twoMontos = (name: string) => texts.twoHeadings(`"${name}"`, '"Monto", "Monto"');
it.each<[string, string, ReadOptions, ...{ en: string }[]]>([
  ['no headings', '9001;1050\n', {}, texts.unknownHeadings('"9001", "1050"'), texts.missingFields('id', '')],
  ['unknown headings', 'id;Chofer;IVA;constructor\n', {}, texts.unknownHeadings('"Chofer", "IVA", "constructor"')],
  ['a repeated heading', 'id;city;city\n', {}, twoCities],
  ['two headings of one field', 'id;Monto;Importe\n', {}, texts.twoHeadings('amount', '"Monto", "Importe"')],
  ['two equal headings, one of them ignored', 'id;Monto;Monto\n', ignore('Monto'), twoMontos('Monto')],
  ['two equal headings, one of them mapped', 'id;Monto;Monto\n', mapFields({ amount: 'Monto' }), twoMontos('Monto')],
  ['a heading of a mapped field', 'id;Importe;Neto\n', mapsAmount, texts.unknownHeadings('"Importe"')],
  ['the name of a mapped field', 'id;X\n', mapsId, texts.twoHeadings('id', '"id", "X"')],
  ['several errors', 'city;city;X\n', {}, ...allErrors],
  ['headings of the options that do not exist', 'id;X\n', mapFields({ amount: 'Neto', city: 'Y' }), ...notInFile],
  ['a heading mapped to two fields', 'id;X\n', mapFields({ amount: 'X', city: 'X' }), texts.namedTwice('X')],
])('a header is rejected with all its errors: %s', async (_, text, options, ...errors) => {
  await expect(readSheet(text, options)).rejects.toThrow(errors.map(({ en }) => en).join(' '));
});
