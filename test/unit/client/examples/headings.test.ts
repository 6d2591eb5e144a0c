import { describe, expect, it } from 'vitest';
import type { HeadingChoice } from '../../../../lib/client/examples/declare-csv/headings.ts';
import { columnNamed } from '../../../../lib/client/examples/declare-csv/known-headings.ts';
import { parseInvoices } from '../../../../lib/client/examples/declare-csv/parse-invoices.ts';
import { fileTexts } from '../../../../lib/client/examples/declare-csv/texts/file.ts';

const fields = 'invoice_id, amount, notes, invoice_number, invoice_date, tax_pct';
const parse = (text: string, choice: Partial<HeadingChoice> = {}) =>
  parseInvoices(Buffer.from(text), { map: [], ignore: [], ...choice });
const declarationsOf = (text: string, choice?: Partial<HeadingChoice>) =>
  parse(text, choice).lines.map(({ declaration }) => declaration);

describe('a heading is known', () => {
  it.each([
    ['invoice_id', ['invoice_id', 'Invoice ID', 'INVOICE', 'Factura', ' factura ', 'Id. de la factura', 'ID']],
    ['amount', ['amount', 'Importe', 'IMPORTE DECLARADO', 'Monto', 'Declared amount']],
    ['notes', ['notes', 'Observaciones', 'Observación', 'observacion', 'Nota', 'Comentarios']],
    [
      'invoice_number',
      [
        'invoice_number',
        'Nro comprobante',
        'Nro. de comprobante',
        'N° comprobante',
        'N.º de comprobante',
        'N.° de\nfactura',
        'Nº Comprobante',
        'Número de factura',
        'Comprobante',
      ],
    ],
    ['invoice_date', ['invoice_date', 'Fecha', 'Fecha de emisión', 'Fecha del comprobante', 'Date']],
    ['tax_pct', ['tax_pct', 'IVA %', '% de IVA', 'IVA (%)', 'Alícuota', 'ALÍCUOTA DE IVA', 'VAT %']],
  ])('for %s', (column, headings) => {
    expect(headings.map((heading) => columnNamed(heading))).toEqual(headings.map(() => column));
  });

  it.each(['IVA', 'Total', 'Proveedor', '', '€', 'Importe 2', 'constructor'])(
    'for nothing when it is %j',
    (heading) => {
      expect(columnNamed(heading)).toBeUndefined();
    },
  );

  it('in the first line of a file', () => {
    const text = 'Factura;Importe;Nro comprobante\n9001;1050;A-1\n';
    expect(declarationsOf(text)).toEqual([{ invoice_id: '9001', amount: 1050, invoice_number: 'A-1' }]);
  });
});

describe('a heading that is not known', () => {
  const text = 'Cuenta;Precio = neto;Ciudad\n9001;1050;Salta\n';

  it('can be mapped to a field, or left out, whatever its case', () => {
    const map = [
      ['invoice_id', 'cuenta'],
      ['amount', 'Precio = neto'],
    ] as const;
    expect(declarationsOf(text, { map, ignore: ['CIUDAD '] })).toEqual([{ invoice_id: '9001', amount: 1050 }]);
  });

  it.each([
    ['without its accents', 'senal'],
    ['in another form of Unicode', 'Señal'.normalize('NFD')],
    ['with other spaces', ' Señal  '],
  ])('can be named %s', (_, name) => {
    expect(declarationsOf('Factura;Señal\n1;5\n', { map: [['amount', name]] })).toEqual([
      { invoice_id: '1', amount: 5 },
    ]);
  });

  it('can be named on one line where it has two', () => {
    const file = '"Código\r\ninterno";"Importe\n($)"\n9001;10,5\n';
    expect(declarationsOf(file, { map: [['invoice_id', 'código interno']] })).toEqual([
      { invoice_id: '9001', amount: 10.5 },
    ]);
  });

  it('is meant by its accents where two differ in nothing else', () => {
    const file = 'Factura;Senal;Señal\n1;5;7\n';
    expect(declarationsOf(file, { map: [['amount', 'SEÑAL']], ignore: ['SENAL'] })).toEqual([
      { invoice_id: '1', amount: 7 },
    ]);
  });

  it('is mapped by its exact case where two differ in nothing else', () => {
    const choice = {
      map: [
        ['invoice_id', 'ID'],
        ['amount', 'id'],
      ] as const,
    };
    expect(declarationsOf('id;ID\n5;9001\n', choice)).toEqual([{ invoice_id: '9001', amount: 5 }]);
  });

  it.each<[string, string, Partial<HeadingChoice>, { en: string }]>([
    ['is refused', 'Factura;Importe;Ciudad\n', {}, fileTexts.unknownHeading('Ciudad')],
    [
      'is refused with all others',
      'Factura;Importe;Ciudad;Chofer\n',
      {},
      fileTexts.unknownHeadings('"Ciudad", "Chofer"', '--ignore "Ciudad" --ignore "Chofer"'),
    ],
    [
      'is refused as well where the field has another',
      'Factura;Importe;Monto\n',
      { map: [['amount', 'Monto']] },
      fileTexts.unknownHeading('Importe'),
    ],
    [
      'cannot be mapped if it is not there',
      text,
      { map: [['amount', 'Neto']] },
      fileTexts.notInFile('--map', 'Neto', '"Cuenta", "Precio = neto", "Ciudad"'),
    ],
    [
      'cannot be left out if it is not there',
      text,
      { ignore: ['Neto'] },
      fileTexts.notInFile('--ignore', 'Neto', '"Cuenta", "Precio = neto", "Ciudad"'),
    ],
    [
      'cannot be two fields',
      text,
      {
        map: [
          ['amount', 'Cuenta'],
          ['invoice_id', 'cuenta'],
        ],
      },
      fileTexts.namedTwice('cuenta'),
    ],
    [
      'cannot be a field and left out',
      text,
      { map: [['amount', 'Cuenta']], ignore: ['Cuenta'] },
      fileTexts.namedTwice('Cuenta'),
    ],
    [
      'cannot be one of two for a field',
      text,
      {
        map: [
          ['amount', 'Cuenta'],
          ['amount', 'Ciudad'],
        ],
      },
      fileTexts.mappedTwice('amount'),
    ],
  ])('%s (%j, %j)', (_, file, choice, message) => {
    expect(() => parse(file, choice)).toThrow(message.en);
  });
});

describe('a first line is refused', () => {
  it.each([
    ['of an empty file', '', fileTexts.noHeading(fields)],
    ['of empty lines', '\n;;\n', fileTexts.noHeading(fields)],
    ['without headings', '9001,1050\n', fileTexts.noHeading(fields)],
    ['that is a title', 'Facturas de agosto;\nFactura;Importe\n', fileTexts.noHeading(fields)],
    ['without an amount', 'Factura;Nota\n', fileTexts.missingFields('amount')],
    [
      'with the same heading twice',
      'invoice_id,amount,amount\n',
      fileTexts.twoHeadings('amount', '"amount", "amount"'),
    ],
    ['with two headings of a field', 'Factura;Importe;Monto\n', fileTexts.twoHeadings('amount', '"Importe", "Monto"')],
    [
      'with a heading beside the name of its field',
      'invoice_id;Factura;amount\n',
      fileTexts.twoHeadings('invoice_id', '"invoice_id", "Factura"'),
    ],
    ['that leaves a column with values unnamed', 'Factura;Importe;\n1;1;\n2;2;x\n', fileTexts.unnamedColumn(3, 3)],
    ['that names a separator that is none', 'sep=|\nFactura|Importe\n', fileTexts.unknownSeparator('|')],
    ['that names no separator', 'sep=\nFactura;Importe\n', fileTexts.unknownSeparator('""')],
  ])('%s', (_, text, message) => {
    expect(() => parse(text)).toThrow(message.en);
  });
});

describe('the first line', () => {
  it.each([
    ['commas', 'Factura,Importe\n9001,10.5\n'],
    ['semicolons', 'Factura;Importe\n9001;10,5\n'],
    ['tabs', 'Factura\tImporte\n9001\t10,5\n'],
    ['commas, with a semicolon in quotes', '"Factura","Importe","Nota;"\n9001,10.5,\n'],
    ['what sep= says', 'sep=,\r\nFactura,Importe\r\n9001,10.5\r\n'],
    ['what "sep=" says in quotes', '"sep=;"\nFactura;Importe\n9001;10,5\n'],
    ['what SEP= says, a tab', 'SEP=\t\nFactura\tImporte\n9001\t10,5\n'],
  ])('tells the separator: %s', (_, text) => {
    expect(declarationsOf(text, text.includes('Nota') ? { ignore: ['Nota;'] } : {})).toEqual([
      { invoice_id: '9001', amount: 10.5 },
    ]);
  });

  it('counts, also when it only names the separator', () => {
    expect(parse('sep=;\n\nFactura;Importe\nx;1\n').faults).toEqual([
      { line: 4, column: 'invoice_id', message: fileTexts.digitsOnly },
    ]);
  });

  it('may leave a column unnamed that is empty', () => {
    expect(declarationsOf('Factura;Importe;;\r\n9001;5;;\r\n')).toEqual([{ invoice_id: '9001', amount: 5 }]);
  });

  it('keeps an empty first cell between tabs', () => {
    expect(parse('Factura\tImporte\n\t5\n').faults).toEqual([
      { line: 2, column: 'invoice_id', message: fileTexts.required },
    ]);
  });
});
