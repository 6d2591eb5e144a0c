import { Big } from 'big.js';
import { type Declaration, DECLARATION_LIMITS } from '../client/index.ts';
import { INVOICE_YEAR } from '../client/spreadsheets/read-cell.ts';
import { isIsoDate } from '../domain/iso-date.ts';
import type { Text } from '../domain/language.ts';
import { fileTexts } from './file-texts.ts';

const DECIMAL_NUMBER = /^-?\d+(?:\.\d+)?$/;
const MAX_DECIMALS = 6;

/** Finds why the service would reject a value, which is not empty. Returns null if the value can be sent. */
export function findFieldError(field: keyof Declaration, value: string): Text | null {
  if (field === 'invoice_date') return isIsoDate(value) && INVOICE_YEAR.test(value) ? null : fileTexts.notADate;
  const limits = DECLARATION_LIMITS[field];
  if ('pattern' in limits) return new RegExp(limits.pattern).test(value) ? null : fileTexts.digitsOnly;
  if ('maximum' in limits) return findNumberError(field, value, limits.maximum);
  // The service counts code points, but the length of a string counts UTF-16 code units.
  const length = Array.from(value).length;
  return length <= limits.maxLength ? null : fileTexts.tooLong(limits.maxLength);
}

function findNumberError(field: keyof Declaration, value: string, maximum: number): Text | null {
  if (!DECIMAL_NUMBER.test(value)) return field === 'amount' ? fileTexts.notAnAmount : fileTexts.notAPercentage;
  const exact = new Big(value);
  if (exact.lt(0) || exact.gt(maximum)) return fileTexts.outOfRange(maximum);
  // A JSON number has about 15 exact digits, so that some of the digits of a longer value would change.
  const isExactInJson = new Big(Number(value)).eq(exact);
  const hasFewDecimals = exact.round(MAX_DECIMALS).eq(exact);
  return isExactInJson && hasFewDecimals ? null : fileTexts.tooPrecise(MAX_DECIMALS);
}
