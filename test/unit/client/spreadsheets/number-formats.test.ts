import { expect, it } from 'vitest';
import { isPercentageFormat, showsOtherDigits } from '../../../../lib/client/spreadsheets/number-formats.ts';

it.each([
  ['80101', '0000000'],
  ['100001234', String.raw`0000\-00000000`],
  ['5551234', '###-####'],
  ['9001', '"FC "General'],
  ['7', '[Red]000;[Blue]0'],
  ['21', '0" %"'],
  ['1.5', '000.00'],
])('a cell shows other digits than its number %s with the format %s', (number, format) => {
  expect(showsOtherDigits(number, format)).toBe(true);
});

it.each([
  ['1234567', '0000000'],
  ['9001', 'General'],
  ['9001', '@'],
  ['9001', '0.00'],
  ['9001.5', '_-* #,##0.00_-'],
  ['9001', '# ?/?'],
])('a cell shows the digits of its number %s with the format %s', (number, format) => {
  expect(showsOtherDigits(number, format)).toBe(false);
});

it.each([
  ['0.0%', true],
  ['0" %"', false],
  ['0;0%', false],
])('isPercentageFormat finds a percentage in the format of positive numbers: %s', (format, isPercentage) => {
  expect(isPercentageFormat(format)).toBe(isPercentage);
});
