import { describe, expect, it } from 'vitest';
import { parseInvoices } from '../../../../lib/client/examples/declare-csv/parse-invoices.ts';
import { readDecimal } from '../../../../lib/client/examples/declare-csv/read-decimal.ts';

const parse = (text: string) => parseInvoices(Buffer.from(text));
const faultsOf = (text: string) =>
  parse(text).faults.map(({ line, column, message }) => `${line} ${column ?? '-'} ${message}`);

describe('a file of invoices', () => {
  it('gives every column that is filled in, with the line where it stands', () => {
    const text =
      'amount,invoice_id,notes,invoice_number,invoice_date,tax_pct\n1050.5,9001,"one, ""two""",A-1,2026-08-31,21\n0,9002,,,,\n';
    expect(parse(text)).toEqual({
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
      dialect: { separator: ',', decimalMark: '.' },
    });
  });

  it('may be of a Spanish spreadsheet: byte order mark, semicolons, decimal commas, CRLF, empty rows', () => {
    const text = '\uFEFFinvoice_id;amount;notes\r\n\r\n1;1050,01;"a\r\nb"\r\n;;\r\n 2 ; 3.5 ;\r\n';
    expect(parse(text)).toEqual({
      lines: [
        { line: 3, declaration: { invoice_id: '1', amount: 1050.01, notes: 'a\nb' } },
        { line: 6, declaration: { invoice_id: '2', amount: 3.5 } },
      ],
      faults: [],
      dialect: { separator: ';', decimalMark: ',' },
    });
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
      expect.stringContaining('4 invoice_date must be an ISO 8601 date'),
      '4 tax_pct must be at most 100',
      '4 notes must have at most 2000 characters',
      '5 - has 7 columns, and the header 6',
      '6 invoice_id is on line 2 already',
      '7 invoice_id is required',
      expect.stringContaining('7 invoice_date must be an ISO 8601 date'),
      expect.stringContaining('9 - is no CSV'),
    ]);
  });

  it('has a quote that is not closed named where its row begins', () => {
    const rest = 'invoice_id,amount,notes\n1,1,"two\nlines"\n\n,,\n2,1,"open\n' + '3,1,\n'.repeat(100);
    expect(faultsOf(rest)).toEqual(['6 - is no CSV: a quote that is opened here is never closed']);
    expect(faultsOf(`${rest}4,1,"x"`)).toEqual([expect.stringMatching(/^6 - is no CSV: .* at line 107 /)]);
  });

  it.each([
    ['', 'The first line must name the columns'],
    ['9001,1050\n', 'The first line must name the columns'],
    ['invoice_id,amount,total\n', 'The column "total" is not known'],
    ['invoice_id,amount,\n', 'The column "" is not known'],
    ['invoice_id,notes\n', 'The header lacks amount.'],
    ['invoice_id,amount,amount\n', 'The header names a column twice.'],
  ])('is refused as a whole without a header that fits (%j)', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it.each(['latin1', 'utf16le'] as const)('is refused as a whole in %s', (encoding) => {
    expect(() => parseInvoices(Buffer.from('\uFEFFinvoice_id;amount;notes\n1;1;Peña', encoding))).toThrow('UTF-8');
  });

  it('may hold no invoice', () => {
    expect(parse('invoice_id,amount\n')).toMatchObject({ lines: [], faults: [] });
  });
});

describe('an amount', () => {
  const read = (text: string, decimalComma = true) => readDecimal(text, { maximum: 999_999_999_999.99, decimalComma });

  it.each([
    ['0', 0],
    ['1050', 1050],
    ['1050.01', 1050.01],
    ['1050,01', 1050.01],
    ['0,500', 0.5],
    ['0.500', 0.5],
    ['1050.500', 1050.5],
    ['1.0500', 1.05],
    ['0.123456', 0.123456],
    ['999999999999.99', 999_999_999_999.99],
  ])('%s is read', (text, value) => {
    expect(read(text)).toEqual({ value });
  });

  it.each(['1.050', '1,050', '12.345', '999,000', '01.050', '01,050', '0001.050', '00.500'])(
    '%s could be two amounts, and is refused',
    (text) => {
      const decimals = `${text}0`;
      const fault = `${text} may be ${text.replace(/\D/, '')} or ${decimals}: write one of these`;
      expect(read(text)).toEqual({ fault });
      expect(read(decimals)).toHaveProperty('value');
    },
  );

  it.each(['1.050,00', '1,050.00', '1.050.000', '1 050', '$5', '-1', '+1', '1e3', '1.', '.5', '٣', 'NaN'])(
    '%s is refused',
    (text) => {
      expect(read(text)).toEqual({ fault: expect.stringContaining('must be a number') });
    },
  );

  it('has a decimal comma only where semicolons separate the columns', () => {
    expect(read('10,50', false)).toEqual({ fault: expect.stringContaining('must have a decimal point') });
    expect(read('10.50', false)).toEqual({ value: 10.5 });
  });

  it.each(['1.1234567', '999999999999.123456', '100000000000.00001'])(
    '%s would arrive as another one, and is refused',
    (text) => {
      expect(read(text)).toEqual({ fault: expect.stringContaining('at most 6 decimals') });
    },
  );

  it.each(['999999999999.991', '1000000000000', '9'.repeat(400)])('%s is too much', (text) => {
    expect(read(text)).toEqual({ fault: 'must be at most 999999999999.99' });
  });
});
