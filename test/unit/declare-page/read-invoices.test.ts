import { describe, expect, it } from 'vitest';
import { formatCellName } from '../../../lib/client/spreadsheets/scan-sheet.ts';
import type { Language } from '../../../lib/domain/language.ts';
import { MAX_ROWS, readInvoices, type ReadOptions } from '../../../lib/declare-page/read-invoices.ts';
import { selectRows } from '../../../lib/declare-page/select-rows.ts';
import { listLeftOutRows } from '../../../lib/declare-page/workbooks.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { buildWorkbook } from '../../support/data/workbook.ts';

const read = (file: string | Buffer, options: Partial<ReadOptions> = {}) =>
  readInvoices(Buffer.from(file), { fieldByHeading: {}, isDayFirst: false, ...options });

/** Reads a file, and selects its rows except these. Errors are formatted as `B2 the value is missing`. */
async function select(file: string | Buffer, leftOut: readonly number[] = [], language: Language = 'en') {
  const { lines, errorsByLine } = selectRows(await read(file), new Set(leftOut));
  const errors = [...errorsByLine].flatMap(([line, rowErrors]) =>
    rowErrors.map(({ column, error }) => {
      const place = column === undefined ? line : formatCellName({ row: line, column: column + 1 });
      return `${place} ${error[language]}`;
    }),
  );
  return { lines, errors };
}

describe('reading a file of invoices', () => {
  it('a file of invoices is read into declarations with their lines, without empty cells', async () => {
    const heading = 'amount,invoice_id,notes,invoice_number,invoice_date,tax_pct';
    const first = '1050.5,9001,"one,\r\n ""two""",A-1,2026-08-31,21';
    const { lines, errors } = await select(`${heading}\r\n${first}\r\n0,9002,,,,\n`);
    const amounts = { amount: 1050.5, invoice_id: '9001', tax_pct: 21 };
    const texts = { notes: 'one,\n "two"', invoice_number: 'A-1', invoice_date: '2026-08-31' };
    expect(lines).toEqual([
      { line: 2, declaration: { ...amounts, ...texts } },
      { line: 4, declaration: { amount: 0, invoice_id: '9002' } },
    ]);
    expect(errors).toEqual([]);
  });

  it('every error of a file has its cell or its row', async () => {
    const text = `invoice_id,amount,invoice_number,invoice_date,tax_pct,notes
1,,,,,
12a,-1,,,,
2,1,${'n'.repeat(LIMITS.invoiceNumberLength + 1)},31-08-26,101,${'😀'.repeat(LIMITS.notesLength + 1)}
2,1050,01,,,,x
1,1,,,,
,5,,2026-02-30,,
3,1.1234567,,,,"${'😀'.repeat(LIMITS.notesLength)}"`;
    expect((await select(text)).errors).toEqual([
      'B2 the value is missing',
      'A3 must be digits only',
      'B3 must be from 0 to 999999999999.99',
      `F4 must have at most ${LIMITS.notesLength} characters`,
      `C4 must have at most ${LIMITS.invoiceNumberLength} characters`,
      'D4 is not a date from 2000 to 2100',
      'E4 must be from 0 to 100',
      '5 has 7 columns, but the header has 6',
      'A6 is already in row 2: leave one of the rows out',
      expect.stringContaining('A7 has no digits, but the row has an amount'),
      'D7 is not a date from 2000 to 2100',
      'B8 must have at most 6 decimals, and 15 digits in all',
    ]);
  });

  it('a file that cannot be read to its end is rejected, so that no row is lost', async () => {
    await expect(read('invoice_id,amount,notes\n1,5,\n2,1,"a"b\n')).rejects.toThrow('is not valid CSV');
  });

  it('an ambiguous date names the choice that resolves it', async () => {
    const text = 'invoice_id;amount;invoice_date\n1;5;1/9/2026\n';
    expect((await select(text)).errors).toEqual([
      expect.stringContaining('or mark above that the dates have their day first'),
    ]);
    expect(await read(text, { isDayFirst: true })).toMatchObject({
      rows: [{ declaration: { invoice_date: '2026-09-01' } }],
    });
  });

  it.each([
    [
      'cannot be exact in JSON',
      'must have at most 6 decimals',
      ['1.1234567', '999999999999.123456', '100000000000.00001'],
    ],
    ['is too large', 'must be from 0 to', ['999999999999.991', '1000000000000', '9'.repeat(400)]],
  ])('an amount that %s is an error', async (_, error, amounts) => {
    for (const amount of amounts)
      expect((await select(`invoice_id;amount\n1;${amount}\n`)).errors).toEqual([expect.stringContaining(error)]);
  });

  it('blanks and no-break spaces around cells are removed', async () => {
    const rows = [
      ['Factura', 'Importe'],
      ['\u00a0 9001\u00a0', '\u00a01050,5 \u202f'],
      [' ', '\u00a0'],
    ];
    expect(await select(buildWorkbook({ Hoja1: rows }))).toEqual({
      lines: [{ line: 2, declaration: { invoice_id: '9001', amount: 1050.5 } }],
      errors: [],
    });
  });

  it('a hidden or filtered row is an error until it is left out', async () => {
    const rows = [['Factura', 'Importe'], ...['1', '2', '3'].map((id) => [id, '5,50'])];
    const file = buildWorkbook({ Hoja1: { rows, hidden: [3, 4] } });
    const error = 'La fila está oculta o filtrada: muéstrela en el archivo u omítala';
    expect((await select(file, [4], 'es')).errors).toEqual([`3 ${error}`]);
    expect(await select(file, [3, 4])).toMatchObject({ lines: [{ line: 2 }], errors: [] });
  });

  it('a file with more rows than the limit is rejected', async () => {
    const rows = Array.from({ length: MAX_ROWS + 1 }, (_, index) => `${index};1`);
    expect((await read(['factura;importe', ...rows.slice(1)].join('\n'))).rows).toHaveLength(MAX_ROWS);
    await expect(read(['factura;importe', ...rows].join('\n'))).rejects.toThrow('more than 20000 rows');
  });
});

describe('the columns of a file', () => {
  it('a column with an unknown heading is not used, and can be chosen for a field', async () => {
    const file = 'factura;neto a cobrar;importe\n1;7;5\n';
    expect((await read(file)).detected.fields).toEqual(['invoice_id', null, 'amount']);
    const chosen = await read(file, { fieldByHeading: { 'neto a cobrar': 'amount', importe: null } });
    expect(chosen).toMatchObject({
      detected: { fields: ['invoice_id', 'amount', null] },
      rows: [{ declaration: { amount: 7 } }],
    });
  });

  it('a hidden column with a field is an error until the column is not used', async () => {
    const rows = [
      ['Factura', 'Importe', 'Importe declarado'],
      ['1', '5', '6'],
    ];
    const file = buildWorkbook({ Hoja1: { rows, hiddenColumns: [3, 3] } });
    const fieldByHeading = { Importe: null };
    await expect(read(file, { fieldByHeading })).rejects.toThrow('These columns are hidden: Importe declarado.');
    expect(await read(file, { fieldByHeading: { 'Importe declarado': null } })).toMatchObject({
      rows: [{ declaration: { amount: 5 } }],
    });
  });

  it('the error of two columns of a field has both fields, until one column is not used', async () => {
    const file = 'factura;monto;importe\n1;7;5\n';
    const columns = { fields: ['invoice_id', 'amount', 'amount'] };
    await expect(read(file)).rejects.toMatchObject({ columns });
    expect(await read(file, { fieldByHeading: { monto: null } })).toMatchObject({
      rows: [{ declaration: { amount: 5 } }],
    });
  });

  it('a column without a heading is not used', async () => {
    expect(await select('factura;;importe\n1;x;5\n')).toMatchObject({ lines: [{ line: 2 }], errors: [] });
  });

  it('the error of a missing field has the headings with their fields', async () => {
    const columns = { headings: ['factura', 'neto'], fields: ['invoice_id', null] };
    await expect(read('factura;neto\n1;7\n')).rejects.toMatchObject({ columns });
  });
});

describe('rows that are left out', () => {
  const file = 'Factura;Importe\n1;5\n1;6\nTotal;11\n';

  it('either row of a repeated invoice can be left out', async () => {
    expect((await select(file, [4])).errors).toEqual(['A3 is already in row 2: leave one of the rows out']);
    for (const [leftOut, amount] of [
      [2, 6],
      [3, 5],
    ] as const)
      expect(await select(file, [leftOut, 4])).toMatchObject({ lines: [{ declaration: { amount } }], errors: [] });
  });

  it('they are listed with their cells and their error', async () => {
    const error = { message: expect.stringContaining('if this is a total') };
    expect(listLeftOutRows(await read(file), new Set([2, 4]), 'en')).toMatchObject([
      { line: 2, declaration: { invoice_id: '1', amount: '5' }, error: undefined },
      { line: 4, declaration: { invoice_id: 'Total', amount: '11' }, error },
    ]);
  });
});
