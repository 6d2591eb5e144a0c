import { describe, expect, it } from 'vitest';
import { parseInvoices } from '../../../../lib/client/examples/declare-csv/parse-invoices.ts';

const parse = (text: string) => parseInvoices(Buffer.from(text));
const faultsOf = (text: string) =>
  parse(text).faults.map(({ line, column, message }) => `${line} ${column ?? '-'} ${message.en}`);

describe('a file of invoices', () => {
  it('gives every column that is filled in, with the line where it stands', () => {
    const text =
      'amount,invoice_id,notes,invoice_number,invoice_date,tax_pct\n1050.5,9001,"one, ""two""",A-1,2026-08-31,21\n0,9002,,,,\n';
    expect(parse(text)).toMatchObject({
      lines: [
        {
          line: 2,
          declaration: {
            amount: 1050.5,
            invoice_id: '9001',
            notes: 'one, "two"',
            invoice_number: 'A-1',
            invoice_date: '2026-08-31',
            tax_pct: 21,
          },
        },
        { line: 3, declaration: { amount: 0, invoice_id: '9002' } },
      ],
      faults: [],
      dialect: { separator: ',', decimalMark: '.', byteOrderMark: false },
    });
  });

  it('may be of a Spanish spreadsheet: byte order mark, semicolons, decimal commas, CRLF, empty rows', () => {
    const text = '\uFEFFinvoice_id;amount;notes\r\n\r\n1;1050,01;"a\r\nb"\r\n;;\r\n 2 ; 3.5 ;\r\n';
    expect(parse(text)).toMatchObject({
      lines: [
        { line: 3, declaration: { invoice_id: '1', amount: 1050.01, notes: 'a\nb' } },
        { line: 6, declaration: { invoice_id: '2', amount: 3.5 } },
      ],
      faults: [],
      dialect: { separator: ';', decimalMark: ',', byteOrderMark: true },
    });
  });

  it('may leave out empty cells at the end of a row, as Excel does', () => {
    const text = 'Factura;Importe;Nota;;\r\n1;1,5\r\n2;2,5;a;;\r\n3;3,5;\r\n';
    expect(parse(text).lines.map(({ declaration }) => declaration)).toEqual([
      { invoice_id: '1', amount: 1.5 },
      { invoice_id: '2', amount: 2.5, notes: 'a' },
      { invoice_id: '3', amount: 3.5 },
    ]);
    expect(faultsOf(text.replaceAll(';', '\t'))).toEqual([]);
  });

  it.each([
    ['a row that is too long', ';', '1;5;;\n', 4],
    ['a last row that may be cut off', ';', '1;5;\n2;10', 2],
    ['a row whose decimal comma may have split an amount', ',', '1,50\n', 2],
  ])('has the count of columns told of %s', (_, separator, rows, count) => {
    const heading = ['Factura', 'Importe', 'Nota'].join(separator);
    const fault = `- has ${count} columns, and the first line 3`;
    expect(faultsOf(`${heading}\n${rows}`)).toEqual([expect.stringContaining(fault)]);
  });

  it('needs what is required in a short row, too', () => {
    expect(faultsOf('Factura;Nota;Importe\n1\n')).toEqual(['2 amount is required']);
  });

  it('has all its faults named at once', () => {
    const text = `invoice_id,amount,invoice_number,invoice_date,tax_pct,notes
1,,,,,
12a,-1,,,,
2,1,${'n'.repeat(61)},31/08/2026,101,${'😀'.repeat(2001)}
2,1050,01,,,,
1,1,,,,
,5,,2026-02-30,,
3,1,,,,"${'😀'.repeat(2000)}"
4,1,"a"b,,,`;
    expect(faultsOf(text)).toEqual([
      '2 amount is required',
      '3 invoice_id must be digits only',
      expect.stringContaining('3 amount must be a number from 0 to 999999999999.99'),
      '4 invoice_number must have at most 60 characters',
      expect.stringContaining('4 invoice_date must be a date like'),
      '4 tax_pct must be at most 100',
      '4 notes must have at most 2000 characters',
      '5 - has 7 columns, and the first line 6',
      '6 invoice_id is on line 2 already',
      '7 invoice_id is required',
      expect.stringContaining('7 invoice_date must be a date like'),
      expect.stringContaining('9 - is no CSV'),
    ]);
  });

  it('has a quote that is not closed named where its row begins', () => {
    const rest = 'invoice_id,amount,notes\n1,1,"two\nlines"\n\n,,\n2,1,"open\n' + '3,1,\n'.repeat(100);
    expect(faultsOf(rest)).toEqual(['6 - is no CSV: a quote that is opened here is never closed']);
    expect(faultsOf(`${rest}4,1,"x"`)).toEqual(['6 - is no CSV: a quote stands within a cell, at line 107']);
  });

  it('may hold no invoice', () => {
    expect(parse('invoice_id,amount\n')).toMatchObject({ lines: [], faults: [] });
  });
});
