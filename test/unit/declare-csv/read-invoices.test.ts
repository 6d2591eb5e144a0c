import { describe, expect, it } from 'vitest';
import type { Language } from '../../../lib/domain/language.ts';
import { formatErrors } from '../../../lib/declare-csv/format-errors.ts';
import { readInvoices, type ReadOptions } from '../../../lib/declare-csv/read-invoices.ts';
import { findDialect } from '../../../lib/declare-csv/report.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { buildWorkbook } from '../../support/data/workbook.ts';

const read = (text: string | Buffer, options: Partial<ReadOptions> = {}) =>
  readInvoices(Buffer.from(text), { ignore: [], includesHidden: false, ...options });
const readErrors = async (text: string | Buffer, language: Language = 'en') =>
  formatErrors((await read(text)).errors, language);

describe('reading a file of invoices', () => {
  it('a file of invoices is read into declarations with their lines, without empty cells', async () => {
    const heading = 'amount,invoice_id,notes,invoice_number,invoice_date,tax_pct';
    const first = '1050.5,9001,"one,\r\n ""two""",A-1,2026-08-31,21';
    const { lines, errors } = await read(`${heading}\r\n${first}\r\n0,9002,,,,\n`);
    const amounts = { amount: 1050.5, invoice_id: '9001', tax_pct: 21 };
    const texts = { notes: 'one,\n "two"', invoice_number: 'A-1', invoice_date: '2026-08-31' };
    expect(lines).toEqual([
      { line: 2, declaration: { ...amounts, ...texts } },
      { line: 4, declaration: { amount: 0, invoice_id: '9002' } },
    ]);
    expect(errors).toEqual([]);
  });

  it('a file of invoices is rejected with all its errors at once', async () => {
    const text = `invoice_id,amount,invoice_number,invoice_date,tax_pct,notes
1,,,,,
12a,-1,,,,
2,1,${'n'.repeat(LIMITS.invoiceNumberLength + 1)},31-08-26,101,${'😀'.repeat(LIMITS.notesLength + 1)}
2,1050,01,,,,x
1,1,,,,
,5,,2026-02-30,,
3,1.1234567,,,,"${'😀'.repeat(LIMITS.notesLength)}"
5,1,,1999-12-31,,
6,1,,2101-01-01,,
TOTAL,7,,,,,
'7,1,,2100/12/31,,
4,1,"a"b,,,`;
    expect(await readErrors(text)).toEqual([
      'B2 amount: the value is missing',
      'A3 invoice_id: "12a" must be digits only',
      'B3 amount: "-1" must be from 0 to 999999999999.99',
      `F4 notes: "${'😀'.repeat(20)}…" must have at most ${LIMITS.notesLength} characters`,
      `C4 invoice_number: "${'n'.repeat(40)}…" must have at most ${LIMITS.invoiceNumberLength} characters`,
      'D4 invoice_date: "31-08-26" is not a date from 2000 to 2100 (in 4 places: D4, D7, D9, D10)',
      'E4 tax_pct: "101" must be from 0 to 100',
      'Row 5: has 7 columns, but the header has 6',
      'A6 invoice_id: "1" is already in row 2: keep one of the rows',
      'A7 invoice_id: has no digits, but the row has an amount: if this is a total, delete the row (in 2 places: A7, A11)',
      'B8 amount: "1.1234567" must have at most 6 decimals, and 15 digits in all',
      expect.stringContaining('Row 13: is not valid CSV'),
    ]);
  });

  it('equal errors of a column are one line with the first 10 places, also if their numbers differ', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => `${index + 1};1.${100 + index}`);
    expect(await readErrors(`Factura;Importe\nA1;mil\n${rows.join('\n')}\n`, 'es')).toEqual([
      'A2 Factura: "A1" debe tener solo dígitos',
      'B2 Importe: "mil" no es un importe',
      'B3 Importe: "1.100" puede ser 1100 o 1,1000: escriba una de las dos formas ' +
        '(en 12 lugares: B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, …)',
    ]);
  });

  it('a file with a column of own numbers and without ids is rejected with what the column was read as', async () => {
    const reading = read('Nro. factura;Importe\nA-0001-00001234;5\n');
    await expect(reading).rejects.toThrow(
      'No heading is known for invoice_id (read: "Nro. factura" → invoice_number, "Importe" → amount). ' +
        'Name the column with --map, for example "Nro. factura" as invoice_id.',
    );
  });

  it('the other columns of a file can be ignored, so that only mapped columns and names of fields are read', async () => {
    const header = 'Fecha;Tipo;Punto de Venta;Número Desde;Imp. Total;notes';
    const map = [
      ['invoice_id', 'Número Desde'],
      ['amount', 'Imp. Total'],
    ] as const;
    const { lines } = await read(`${header}\n2026-08-24;6;2;9001;5,5;x\n`, { map, ignoresOtherColumns: true });
    expect(lines).toEqual([{ line: 2, declaration: { invoice_id: '9001', amount: 5.5, notes: 'x' } }]);
  });

  it('an ambiguous date names the option that resolves it', async () => {
    const text = 'invoice_id;amount;invoice_date\n1;5;1/9/2026\n';
    expect(await readErrors(text)).toEqual([
      expect.stringContaining('one of these, or pass --dates dmy or --dates mdy'),
    ]);
    expect(await read(text, { dates: 'mdy' })).toMatchObject({
      lines: [{ declaration: { invoice_date: '2026-01-09' } }],
    });
  });

  it.each([
    [
      'cannot be exact in JSON',
      'must have at most 6 decimals',
      ['1.1234567', '999999999999.123456', '100000000000.00001'],
    ],
    ['is too large', 'must be from 0 to', ['999999999999.991', '1000000000000', '9'.repeat(400)]],
  ])('a file of invoices is rejected if an amount %s', async (_, error, amounts) => {
    for (const amount of amounts)
      expect(await readErrors(`invoice_id;amount\n1;${amount}\n`)).toEqual([expect.stringContaining(error)]);
  });

  it('blanks and no-break spaces around cells are removed', async () => {
    const rows = [
      ['Factura', 'Importe'],
      ['\u00a0 9001\u00a0', '\u00a01050,5 \u202f'],
      [' ', '\u00a0'],
    ];
    const { lines, errors } = await read(buildWorkbook({ Hoja1: rows }));
    expect([lines, errors]).toEqual([[{ line: 2, declaration: { invoice_id: '9001', amount: 1050.5 } }], []]);
  });

  it('a workbook with several sheets of invoices after the first sheet is rejected with the option that selects one', async () => {
    const sheet = [['Factura', 'Importe']];
    const file = buildWorkbook({ Portada: [], Agosto: sheet, Julio: sheet });
    await expect(read(file)).rejects.toThrow('Choose one with --sheet.');
  });

  it('hidden and filtered rows and columns with a field are errors, unless they are included', async () => {
    const rows = [['Factura', 'Importe', 'Otra'], ...['1', '2', '3'].map((id) => [id, '5,50'])];
    const file = buildWorkbook({ Hoja1: { rows, hidden: [3, 4], hiddenColumns: [2, 3] } });
    const error = 'está oculta o filtrada: muéstrela, bórrela o indique --include-hidden';
    const errors = [`Fila 3: ${error} (en 2 lugares: 3, 4)`, `B Importe: ${error}`];
    expect(formatErrors((await read(file, { ignore: ['Otra'] })).errors, 'es')).toEqual(errors);
    const included = await read(file, { includesHidden: true, ignore: ['Otra'] });
    expect(included).toMatchObject({ errors: [], lines: [{}, {}, {}] });
  });

  const headings = 'invoice_id;amount';
  it.each<[string, string | Buffer, string, string, string]>([
    ['a plain file', 'invoice_id,amount\n1,5\n', ',', '.', ''],
    ['a file with a BOM', `\ufeff${headings}\n1;5,5\n`, ';', ',', '\ufeff'],
    ['a file of Excel', Buffer.from(`${headings};notes\n1;5;ñ\n`, 'latin1'), ';', '.', '\ufeff'],
    ['a workbook', buildWorkbook({ A: [headings.split(';')] }), ';', ',', '\ufeff'],
  ])('the report for %s has the dialect of the file', async (_, text, separator, decimalSign, bom) => {
    const dialect = { separator, decimalSign, bom, lineEnd: '\r\n', protectsNumbers: false };
    expect(findDialect((await read(text)).detected, 'es')).toEqual(dialect);
  });
});
