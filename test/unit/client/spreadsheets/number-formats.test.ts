import { expect, it } from 'vitest';
import { formatNumber } from '../../../../lib/client/spreadsheets/number-formats.ts';

it.each([
  ['80101', '0000000', '0080101'],
  ['100001234', String.raw`0000\-00000000`, '0001-00001234'],
  ['20123456789', '00-00000000-0', '20-12345678-9'],
  ['1234567', String.raw`0\ 0000\ 00`, '1 2345 67'],
  ['5551234', '###-####', '555-1234'],
  ['9001', '"FC "General', 'FC 9001'],
  ['7', '[Red]000" kg";[Blue]0', '007 kg'],
  ['9001', ';;;', ''],
  ['0.21', '0.0%', '21%'],
  ['21', '0" %"', '21 %'],
  ['1.5', '000.00', '001.5'],
  // These formats show the digits of the number, or are for other numbers than ids.
  ['9001', 'General', '9001'],
  ['9001', '0.00', '9001'],
  ['9001.5', '_-* #,##0.00_-', '9001.5'],
  ['-5', '000', '-5'],
  ['9001', '# ?/?', '9001'],
])('formatNumber shows %s with the format %s as %s', (number, format, text) => {
  expect(formatNumber(number, format)).toBe(text);
});
