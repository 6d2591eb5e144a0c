import { expect, it } from 'vitest';
import { declareBatchContract } from '../../../lib/contracts/declare-batch.ts';
import { declareInvoiceContract } from '../../../lib/contracts/declare-invoice.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { findIgnoredFields } from '../../../lib/http/ignored-fields.ts';

const declaration = { invoice_id: '1001', amount: 1, notes: 'x', invoice_number: 'A', invoice_date: '', tax_pct: null };
const numberNames = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const toObject = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]));

it.each<[what: string, body: unknown, fields: readonly string[]]>([
  ['every known field', declaration, []],
  ['null instead of an object', null, []],
  ['a text instead of an object', 'invoce_date', []],
  ['an array instead of an object', [{ invoce_date: 1 }], []],
  ['two typing errors', { ...declaration, invoce_date: 1, Amount: 1 }, ['invoce_date', 'Amount']],
  ['a field of a batch', { declarations: [{ invoce_date: 1 }] }, ['declarations']],
  ['an unknown object', { other: { invoice_id: '1', inner: 1 } }, ['other']],
  ['an object and an array in known fields', { invoice_id: { a: 1 }, amount: [{ a: 1 }] }, []],
  ['names of Object.prototype', JSON.parse('{"__proto__": 1, "toString": 1}'), ['__proto__', 'toString']],
  ['an empty and a blank name', { '': 1, ' ': 1 }, ['""', '%20']],
  ['separators in its names', { 'a, b': 1, '[].%\r\n"': 1, ñ: 1 }, ['a%2C%20b', '%5B%5D.%25%0D%0A%22', '%C3%B1']],
  ['halves of surrogate pairs in its names', { 'a\ud83d': 1, '\ude9a': 1 }, ['a%EF%BF%BD', '%EF%BF%BD']],
  ['a name of 1 MB', { ['a'.repeat(1_000_000)]: 1 }, ['a'.repeat(60)]],
  ['a name that is cut in a surrogate pair', { [`${'a'.repeat(59)}🚚`]: 1 }, [`${'a'.repeat(59)}%EF%BF%BD`]],
  ['10,000 unknown names', toObject(numberNames(10_000, 'own_')), numberNames(10, 'own_')],
])('a declaration with %s has the expected ignored fields', (_what, body, fields) => {
  expect(findIgnoredFields(body, declareInvoiceContract.request)).toEqual(fields);
});

const full = Array.from({ length: LIMITS.batchItems }, () => declaration);
const misspelt = { ...declaration, invoce_date: 1 };

it.each<[what: string, body: unknown, fields: readonly string[]]>([
  ['100 known declarations', { declarations: full }, []],
  ['100 equal typing errors', { declarations: full.map(() => misspelt) }, ['declarations[].invoce_date']],
  ['more than 100 items', { declarations: [...full, misspelt] }, ['declarations[].invoce_date']],
  [
    'typing errors before, in and after its items',
    { declaration: 1, declarations: [{ a: 1 }, declaration, { b: 1 }], invoce_date: 1 },
    ['declaration', 'declarations[].a', 'declarations[].b', 'invoce_date'],
  ],
  [
    'a name that looks like the path of another ignored field',
    { declarations: [{ a: 1 }], 'declarations[].a': 1 },
    ['declarations[].a', 'declarations%5B%5D.a'],
  ],
  [
    '11 unknown names in its items',
    { declarations: numberNames(11, 'a').map((name) => ({ [name]: 1 })), other: 1 },
    numberNames(10, 'declarations[].a'),
  ],
  ['an object instead of its items', { declarations: { invoce_date: 1 } }, []],
  ['items that are not objects', { declarations: [null, 'invoce_date', [{ invoce_date: 1 }], 1] }, []],
])('a batch with %s has the expected ignored fields', (_what, body, fields) => {
  expect(findIgnoredFields(body, declareBatchContract.request)).toEqual(fields);
});

it('the longest names of ignored fields need less than 6 KB of a header', () => {
  const names = numberNames(10, '\u20ac').map((name) => name.padEnd(60, '\u20ac'));
  const fields = findIgnoredFields({ declarations: [toObject(names)] }, declareBatchContract.request);
  expect(fields).toHaveLength(10);
  expect(fields.join(', ').length).toBeLessThan(6 * 1024);
});
