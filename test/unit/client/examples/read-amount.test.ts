import { describe, expect, it } from 'vitest';
import { parseInvoices } from '../../../../lib/client/examples/declare-csv/parse-invoices.ts';
import { readDecimal } from '../../../../lib/client/examples/declare-csv/read-decimal.ts';
import { fileTexts } from '../../../../lib/client/examples/declare-csv/texts/file.ts';

/** The amounts of a column, read with one separator of columns; a fault as its text. */
function amountsOf(amounts: readonly string[], separator = ';') {
  const body = amounts.map((amount, index) => `${index + 1}${separator}"${amount}"\n`).join('');
  const { lines, faults } = parseInvoices(Buffer.from(`invoice_id${separator}amount\n${body}`));
  const read = new Map<number, number | string>(lines.map(({ line, declaration }) => [line, declaration.amount]));
  for (const { line, message } of faults) read.set(line, message.en);
  return amounts.map((_, index) => read.get(index + 2));
}

describe('a column of amounts with points between thousands', () => {
  it.each([
    [
      'a whole column of a spreadsheet',
      ['1.050,00', '640,50', '0,00', '12.345.678,90'],
      [1050, 640.5, 0, 12_345_678.9],
    ],
    ['some amounts without decimals', ['1.050,00', '1.050', '12'], [1050, 1050, 12]],
    ['thousands that are told by two points', ['1.050.000', '2.300'], [1_050_000, 2300]],
    ['amounts that leave the points out', ['1.050,00', '1050,5'], [1050, 1050.5]],
    ['a currency', ['$ 1.050,00', '$640,50', '$ 2.300'], [1050, 640.5, 2300]],
    ['one amount', ['1.050,00'], [1050]],
    ['three decimals', ['1.050,500'], [1050.5]],
  ])('is read: %s', (_, texts, values) => {
    expect(amountsOf(texts)).toEqual(values);
    expect(amountsOf(texts, '\t')).toEqual(values);
  });

  const either = (text: string, whole: string, decimal = `${text.replace('.', ',')}0`) =>
    fileTexts.twoNumbers(text, whole, decimal).en;
  const unlike = (text: string, proof: string) => fileTexts.otherStyle(text, { text: proof, line: 2 }).en;
  const noNumber = fileTexts.noNumber(999_999_999_999.99).en;
  it.each([
    ['a point alone', ['1.050', '640,5'], [either('1.050', '1050'), 640.5]],
    ['a comma with three decimals', ['1.050,00', '1,050'], [1050, either('1,050', '1050')]],
    [
      'a point alone beside thousands without',
      ['1.050,00', '1050,5', '2.300'],
      [1050, 1050.5, either('2.300', '2300')],
    ],
    ['a decimal point', ['1.050,00', '3.5'], [1050, unlike('3.5', '1.050,00')]],
    ['a decimal point and no thousands', ['1.050,00', '1050.50'], [1050, unlike('1050.50', '1.050,00')]],
    ['a zero before the point', ['1.050,00', '0.500'], [1050, unlike('0.500', '1.050,00')]],
    ['English thousands', ['1.050,00', '1,050.00'], [1050, unlike('1,050.00', '1.050,00')]],
    ['groups of another size', ['1.050,00', '10.50,00'], [1050, unlike('10.50,00', '1.050,00')]],
    ['only English thousands', ['1,050.00'], [noNumber]],
    ['a dash', ['1.050,00', '-'], [1050, noNumber]],
    ['a debt', ['1.050,00', '-640,50'], [1050, noNumber]],
    ['another currency', ['1.050,00', 'U$S 5'], [1050, noNumber]],
    ['no more than a mark', ['1.050,00', ','], [1050, noNumber]],
  ])('has the amount refused that is not certain: %s', (_, texts, values) => {
    expect(amountsOf(texts)).toEqual(values);
  });

  it('is not expected between commas, where a comma marks no decimals', () => {
    const noComma = fileTexts.noComma.en;
    const either050 = either('1.050', '1050', '1.0500');
    expect(amountsOf(['1.050,00', '1.050', '1.050.000'], ',')).toEqual([noComma, either050, noNumber]);
    expect(amountsOf(['640,50', '$5', '3.5', '1,050.00'], ',')).toEqual([noComma, noNumber, 3.5, noNumber]);
  });

  it('may still mix decimal commas and points where there are no thousands', () => {
    expect(amountsOf(['1050,01', '3.5'])).toEqual([1050.01, 3.5]);
  });

  it('says nothing of percentages, which have a column of their own', () => {
    const { faults } = parseInvoices(Buffer.from('invoice_id;amount;tax_pct\n1;1.050,00;10,5\n2;1;10.500\n'));
    expect(faults).toEqual([
      { line: 3, column: 'tax_pct', message: fileTexts.twoNumbers('10.500', '10500', '10,5000') },
    ]);
  });
});

it('a percentage may have its sign, as a spreadsheet writes it', () => {
  const text = 'invoice_id;amount;tax_pct\n1;1;21%\n2;1;10,50 %\n3;1;21%%\n4;1;%\n';
  const { lines, faults } = parseInvoices(Buffer.from(text));
  expect(lines.map(({ declaration }) => declaration.tax_pct)).toEqual([21, 10.5]);
  expect(faults.map(({ line }) => line)).toEqual([4, 5]);
});

it('a limit is told as each language writes numbers', () => {
  const limits = [fileTexts.noNumber(999.99), fileTexts.tooMuch(999.99)];
  expect(limits.map(({ en }) => en.includes('999.99'))).toEqual([true, true]);
  expect(limits.map(({ es }) => es.includes('999,99'))).toEqual([true, true]);
});

it('what is offered for an amount that could be two is taken in its place', () => {
  for (const column of [['1.050'], ['1.050,00', '1050,5', '2.300'], ['1,050']]) {
    const [, offer = ''] = / or (\S+):/.exec(String(amountsOf(column).at(-1))) ?? [];
    expect(amountsOf([...column.slice(0, -1), offer]).at(-1)).toBeTypeOf('number');
  }
});

describe('an amount by itself', () => {
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
      const decimals = `${text.replace('.', ',')}0`;
      const fault = fileTexts.twoNumbers(text, text.replace(/\D/, ''), decimals);
      expect(read(text)).toEqual({ fault });
      expect(read(decimals)).toHaveProperty('value');
    },
  );

  it.each(['1.050,00', '1,050.00', '1.050.000', '1 050', '$5', '-1', '+1', '1e3', '1.', '.5', '٣', 'NaN'])(
    '%s is refused',
    (text) => {
      expect(read(text)).toEqual({ fault: fileTexts.noNumber(999_999_999_999.99) });
    },
  );

  it('has a decimal comma only where semicolons separate the columns', () => {
    expect(read('10,50', false)).toEqual({ fault: fileTexts.noComma });
    expect(read('10.50', false)).toEqual({ value: 10.5 });
  });

  it.each(['1.1234567', '999999999999.123456', '100000000000.00001'])(
    '%s would arrive as another one, and is refused',
    (text) => {
      expect(read(text)).toEqual({ fault: fileTexts.tooPrecise(6) });
    },
  );

  it.each(['999999999999.991', '1000000000000', '9'.repeat(400)])('%s is too much', (text) => {
    expect(read(text)).toEqual({ fault: fileTexts.tooMuch(999_999_999_999.99) });
  });
});
