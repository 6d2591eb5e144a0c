import { describe, expect, it } from 'vitest';
import { readInvoices } from '../../../lib/declare-csv/read-invoices.ts';
import { findDialect } from '../../../lib/declare-csv/results.ts';
import { fileTexts } from '../../../lib/declare-csv/run-texts.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { buildWorkbook } from '../../support/data/workbook.ts';

const read = (text: string | Buffer) => readInvoices(Buffer.from(text), { ignore: [] });
const readErrors = async (text: string | Buffer) =>
  (await read(text)).errors.map(({ line, column, message }) => `${line} ${column ?? '-'} ${message.en}`);

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
2,1050,01,,,,
1,1,,,,
,5,,2026-02-30,,
3,1.1234567,,,,"${'😀'.repeat(LIMITS.notesLength)}"
4,1,"a"b,,,`;
    expect(await readErrors(text)).toEqual([
      '2 amount is required',
      '3 invoice_id must be digits only',
      `3 amount ${fileTexts.invalidNumber(999_999_999_999.99).en}`,
      `4 notes must have at most ${LIMITS.notesLength} characters`,
      `4 invoice_number must have at most ${LIMITS.invoiceNumberLength} characters`,
      `4 invoice_date ${fileTexts.invalidDate.en}`,
      `4 tax_pct ${fileTexts.invalidNumber(100).en}`,
      '5 - has 7 columns, but the header has 6',
      '6 invoice_id is already in line 2: keep one of the lines',
      '7 invoice_id is required',
      `7 invoice_date ${fileTexts.invalidDate.en}`,
      `8 amount ${fileTexts.tooPrecise(6).en}`,
      expect.stringContaining('9 - is not valid CSV'),
    ]);
  });

  const tooPrecise = fileTexts.tooPrecise(6).en;
  const tooLarge = fileTexts.invalidNumber(999_999_999_999.99).en;
  it.each([
    ['cannot be exact in JSON', tooPrecise, ['1.1234567', '999999999999.123456', '100000000000.00001']],
    ['is too large', tooLarge, ['999999999999.991', '1000000000000', '9'.repeat(400)]],
  ])('a file of invoices is rejected if an amount %s', async (_, error, amounts) => {
    for (const amount of amounts)
      expect(await readErrors(`invoice_id;amount\n1;${amount}\n`)).toEqual([`2 amount ${error}`]);
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
