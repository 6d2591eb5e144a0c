import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { FieldSpec } from '../../../../lib/client/spreadsheets/find-columns.ts';
import { readTable } from '../../../../lib/client/spreadsheets/read-table.ts';
import { texts } from '../../../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { readSheet, type ReadOptions } from '../../../support/data/spreadsheets.ts';

const mapped = (fields: object): ReadOptions => ({ map: Object.entries(fields) as NonNullable<ReadOptions['map']> });

describe('a heading', () => {
  const spellings =
    'id|ID|Factura| FACTURA |Nro. de factura|N.º de\nfactura|Número de la factura|Factura N°|NroFactura';
  it.each([
    ['id', [...spellings.split('|'), 'FACTURA #', 'nº_factura']],
    ['amount', ['Importe', 'MONTO', 'Amount']],
    ['tax', ['% de IVA', '% iva', 'TAX']],
  ])('of the field %s is known in any spelling', async (field, headings) => {
    for (const heading of headings) {
      const others = ['id', 'amount'].filter((other) => other !== field);
      const { format, rows } = await readSheet(
        `${others.join(';')};"${heading}"\n${others.map(() => 7).join(';')};5\n`,
      );
      expect(rows).toMatchObject([{ [field]: '5' }]);
      if (heading.trim() !== field) expect(format[1]).toBe(`${field} from "${heading.trim()}".`);
    }
  });

  it.each<[string, ReadOptions, object]>([
    ['by its name', mapped({ amount: 'Señal' }), { amount: '5' }],
    ['without its accents, with other spaces', mapped({ amount: ' se nal' }), { amount: '5' }],
    ['in another form of Unicode', mapped({ amount: 'Señal'.normalize('NFD') }), { amount: '5' }],
    ['as an ignored one', { ignore: ['señal'] }, { id: '1' }],
    ['as one of the others, if they are ignored', { leavesOutOthers: true }, { id: '1' }],
  ])('that is not known can be given by an option: %s', async (_, told, values) => {
    const { format, rows } = await readSheet('id;Señal\n1;5\n', told);
    expect(rows).toMatchObject([values]);
    expect(format[1]).toBe('amount' in values ? 'amount from "Señal".' : '"Señal" left out.');
  });

  it('is the more similar one if two match an option', async () => {
    const told = { ...mapped({ amount: 'SEÑAL' }), ignore: ['SENAL'] };
    expect((await readSheet('id;Senal;Señal\n1;5;7\n', told)).rows).toMatchObject([{ amount: '7' }]);
    const exact = { ...mapped({ amount: 'X' }), ignore: ['x'] };
    expect((await readSheet('id;x;X\n1;5;7\n', exact)).rows).toMatchObject([{ amount: '7' }]);
  });

  it('can be missing above an empty column', async () => {
    expect((await readSheet('id;city;;\n1;x;;\n2;x;;y\n')).errors).toEqual([`3 - ${texts.unnamedColumn(4).en}`]);
    expect((await readSheet('id;;city\n1;y;x\n', { leavesOutOthers: true })).errors).toEqual([]);
  });
});

it('a heading of two fields is the first field that is not certainly another column', async () => {
  const fields: Record<'ours' | 'theirs', FieldSpec> = {
    ours: { kind: 'text', headings: ['factura', 'no factura'] },
    theirs: { kind: 'text', headings: ['no factura'] },
  };
  const foundIn = async (header: string) => {
    const { detected } = await readTable(Readable.from([header]), { fields, required: ['ours'] });
    return detected.fields;
  };
  expect(await foundIn('Nro. Factura')).toEqual(['ours']);
  expect(await foundIn('Nro. Factura;Factura')).toEqual(['theirs', 'ours']);
  await expect(foundIn('Nro. Factura;Factura N°')).rejects.toThrow('More than one column may be ours');
});

it('a file with one column is not read to its end before its first row', async () => {
  let pieces = 0;
  async function* input() {
    for (; pieces < 1000; pieces += 1) yield pieces === 0 ? 'ours\n' : '1\n'.repeat(32 * 1024);
  }
  await readTable(input(), { fields: { ours: { kind: 'text' } }, required: ['ours'], sample: 5 });
  expect(pieces).toBeLessThan(100);
});

it('a header is found after up to 19 titles', async () => {
  const titles = (count: number) => 'Agosto\n'.repeat(count);
  expect((await readSheet(`${titles(19)}id;city\n1;x\n`)).format).toEqual([
    'Read as UTF-8, separated by semicolons, headings in line 20.',
  ]);
  await expect(readSheet(`${titles(20)}id;city\n1;x\n`)).rejects.toThrow(texts.noHeading(names).en);
  await expect(readSheet(`Agosto\ncity;amount\n`)).rejects.toThrow(`Line 2: ${texts.missingFields('id').en}`);
});

const names = 'id, amount, date, tax, city';
const neto = mapped({ amount: 'Neto' });
const renamedId = { ...mapped({ id: 'X' }), leavesOutOthers: true };
const inVain = [texts.notInFile('--map', 'Neto', '"id", "X"'), texts.notInFile('--ignore', 'Y', '"id", "X"')];
const twoCities = texts.twoHeadings('city', '"city", "city"');
const all = [texts.unknownHeadings('"X"'), twoCities, texts.missingFields('id')];
it.each<[string, string, ReadOptions, ...{ en: string }[]]>([
  ['no headings', '9001;1050\n', {}, texts.noHeading(names)],
  ['unknown headings', 'id;Chofer;IVA;constructor\n', {}, texts.unknownHeadings('"Chofer", "IVA", "constructor"')],
  ['an unknown heading that can be ignored', 'id;Chofer\n', { ignore: [] }, texts.unknownOrIgnored('"Chofer"')],
  ['a heading twice', 'id;city;city\n', {}, twoCities],
  ['two headings of a field', 'id;city;Monto;Importe\n', {}, texts.twoHeadings('amount', '"Monto", "Importe"')],
  ['a heading of a mapped field', 'id;Importe;Neto\n', neto, texts.unknownHeadings('"Importe"')],
  ['the name of a mapped field', 'id;X\n', renamedId, texts.twoHeadings('id', '"id", "X"')],
  ['several errors', 'city;city;X\n', {}, ...all],
  ['no heading of the options', 'id;X\n', { ...neto, ignore: ['Y'] }, ...inVain],
  ['a heading mapped to two fields', 'id;X\n', mapped({ amount: 'X', city: 'x' }), texts.namedTwice('x')],
])('a header is rejected with all its errors: %s', async (_, text, told, ...errors) => {
  await expect(readSheet(text, told)).rejects.toThrow(errors.map(({ en }) => en).join(' '));
});
