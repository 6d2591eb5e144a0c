import { describe, expect, it } from 'vitest';
import * as generated from '../../../lib/contracts/validators.generated.js';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { proves } from '../../rules/proves.ts';
import { type RuleId, rules } from '../../rules/rules.ts';

const validators = { ...generated };
type Name = keyof typeof validators;

const KEY = '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001';
const valid: Readonly<Record<Name, object>> = {
  login: { email: 'e', password: 'p' },
  listInvoices: { startdate: '1', enddate: '2' },
  getInvoice: { id: '7' },
  getHistory: { id: '7' },
  declareInvoice: { invoice_id: '7', amount: 1 },
  declareBatch: { declarations: [{ invoice_id: '7', amount: 1 }] },
  validateAmount: { invoice_id: '7', amount: 1 },
  legacyDispatch: { WSAutorizacion: { Guid: KEY, Usuario: 'u', Password: 'p' } },
};
const isValid = (name: Name, input: unknown) => validators[name](input);

/** The valid and the invalid values of a property. The constants below have the same form. */
const amount = [
  [0, 0.000_000_5, 999_999_999_999.99],
  ['1', null, -0.01, 0.000_000_499_999_999, Number.MIN_VALUE, 999_999_999_999.991, 1e12],
];
const invoiceId = [
  ['0', '7'],
  [7, null, '7a', 'a7', '', '10.5', '-1', '１００１', '1001\n'],
];
const optionalText = (max: number) => [
  [null, '', 'x'.repeat(max), '😀'.repeat(max)],
  [7, 'x'.repeat(max + 1), '😀'.repeat(max + 1)],
];
const text = (max?: number) => [
  ['x', ...(max ? ['x'.repeat(max)] : [])],
  [7, null, '', ...(max ? ['x'.repeat(max + 1)] : [])],
];
const status = [
  [null, ...STATE_CODES],
  [7, 'NON'],
];
const date = [
  [null, '', '2026-07-01', '2026-07-01T10:00:00-05:00'],
  [7, 'yesterday', '2026-02-30', ' '],
];
const integer = (min: number, max: number) => [
  [null, min, max],
  ['1', 1.5, min - 1, max + 1],
];
const declaration = {
  invoice_id: invoiceId,
  amount,
  notes: optionalText(2000),
  invoice_number: [
    [...optionalText(60)[0]!, 'FC\u200b 1'],
    [...optionalText(60)[1]!, ' ', '\u00a0\u200b', '\u3164\u2800', 'FC\t1', 'FC\u0085'],
  ],
  invoice_date: date,
  tax_pct: [
    [null, 0, 100],
    ['1', -0.01, 100.01],
  ],
};
const limits: readonly (readonly [Name, endpoint: string, Readonly<Record<string, unknown[][]>>])[] = [
  ['login', 'login', { email: text(254), password: text(), playerid: optionalText(200) }],
  ['listInvoices', 'list-invoices', { startdate: text(), enddate: text(), status, search: optionalText(120) }],
  ['listInvoices', 'list-invoices', { limit: integer(1, 100), offset: integer(0, Number.MAX_SAFE_INTEGER) }],
  ['listInvoices', 'list-invoices', { changed_since: date }],
  ['getInvoice', 'get-invoice', { id: invoiceId }],
  ['declareInvoice', 'declare-invoice', declaration],
  ['validateAmount', 'validate-amount', { invoice_id: invoiceId, amount }],
];
const ruleIds = new Set<string>(rules.map(([id]) => id));
const cases = limits.flatMap(([name, endpoint, properties]) =>
  Object.entries(properties).map(([property, [good = [], bad = []]]) => {
    // Some limits have a second rule of their own.
    const provedRules = [`${endpoint}/${property}`, `limits/${property}`].filter((id) => ruleIds.has(id)) as RuleId[];
    return { name, property, provedRules, good, bad };
  }),
);

describe('the validator of a request', () => {
  it.each(Object.entries(valid))(
    'the validator accepts only an object with the required properties: %s',
    (name, input) => {
      expect(isValid(name as Name, input)).toBe(true);
      for (const other of [[], 'text', 7, null]) expect(isValid(name as Name, other)).toBe(false);
      for (const property of Object.keys(input))
        expect(isValid(name as Name, { ...input, [property]: undefined }), `without ${property}`).toBe(false);
    },
  );

  for (const { name, property, provedRules, good, bad } of cases) {
    it(`the validator accepts values up to the limits, and rejects values beyond: ${name}, ${property}`, () => {
      proves(...provedRules);
      const accepts = (value: unknown) => isValid(name, { ...valid[name], [property]: value });
      expect(good.filter((value) => !accepts(value))).toEqual([]);
      expect(bad.filter(accepts)).toEqual([]);
    });
  }
});

describe('the validator of a batch', () => {
  const isBatch = (...declarations: unknown[]) => isValid('declareBatch', { declarations });

  it('the validator accepts a list of 1 to 100 declarations', () => {
    proves('declare-batch/declarations', 'declare-batch/rule-2', 'limits/declarations');
    const lists = [0, 1, 100, 101].map((length) => isBatch(...Array.from({ length }, () => valid.declareInvoice)));
    expect(lists).toEqual([false, true, true, false]);
    expect(isValid('declareBatch', { declarations: valid.declareInvoice })).toBe(false);
  });

  it('the validator accepts an item whose invoice_id is a text, with any other properties', () => {
    proves('declare-batch/rule-1');
    expect(isBatch({ invoice_id: 'x' }, { invoice_id: '', amount: -1, notes: 7 })).toBe(true);
    expect([{}, { invoice_id: 7 }, { invoice_id: null }].map((item) => isBatch(item))).toEqual([false, false, false]);
  });

  it('the validator checks that every item is an object', () => {
    const many = Array.from({ length: 99 }, () => valid.declareInvoice);
    expect([isBatch('text'), isBatch(...many, 'text'), isBatch(...many, [])]).toEqual([false, false, false]);
  });

  it('the validator checks no item of a list that is too long', () => {
    isBatch(...Array.from({ length: 101 }, () => 'text'));
    expect(validators.declareBatch.errors?.map(({ keyword }) => keyword)).toEqual(['maxItems']);
  });
});

it('the validator accepts a legacy authorization only with all valid credentials', () => {
  const isValidWith = (changes: object) =>
    isValid('legacyDispatch', { WSAutorizacion: { Guid: KEY, Usuario: 'u', Password: 'p', ...changes } });
  const good = [{ Guid: KEY.toUpperCase() }, { Usuario: 'u'.repeat(254) }];
  const invalidTexts = [7, undefined, null, ''];
  const bad = ['Guid', 'Usuario', 'Password'].flatMap((name) => invalidTexts.map((value) => ({ [name]: value })));
  const tooLong = [{ Guid: `${KEY}0` }, { Guid: 'x' }, { Usuario: 'u'.repeat(255) }];
  expect(good.filter((changes) => !isValidWith(changes))).toEqual([]);
  expect([...bad, ...tooLong].filter(isValidWith)).toEqual([]);
  expect([[], 'text', null].filter((WSAutorizacion) => isValid('legacyDispatch', { WSAutorizacion }))).toEqual([]);
});
