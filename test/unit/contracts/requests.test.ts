import { describe, expect, it } from 'vitest';
import * as generated from '../../../lib/contracts/validators.generated.js';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';

const validators = { ...generated };
type Name = keyof typeof validators;

const KEY = '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001';
const valid: Readonly<Record<Name, object>> = {
  login: { email: 'e', password: 'p' },
  listInvoices: { startdate: '1', enddate: '2' },
  getInvoice: { id: '7' },
  declareInvoice: { invoice_id: '7', amount: 1 },
  declareBatch: { declarations: [{ invoice_id: '7', amount: 1 }] },
  validateAmount: { invoice_id: '7', amount: 1 },
  legacyDispatch: { WSAutorizacion: { Guid: KEY, Usuario: 'u', Password: 'p' } },
};
const isValid = (name: Name, input: unknown) => validators[name](input);

/** For each property that is not required or has limits: what it may be, and what it may not. */
const amount = [
  [0, 0.000_000_5, 999_999_999_999.99],
  ['1', null, -0.01, 0.000_000_499_999_999, Number.MIN_VALUE, 999_999_999_999.991, 1e12],
];
const invoiceId = [
  ['0', '7'],
  [7, null, '7a', 'a7', '', '10.5', '-1', '１００１', '1001\n'],
];
const optionalText = (most: number) => [
  [null, '', 'x'.repeat(most), '😀'.repeat(most)],
  [7, 'x'.repeat(most + 1), '😀'.repeat(most + 1)],
];
const text = (most?: number) => [
  ['x', ...(most ? ['x'.repeat(most)] : [])],
  [7, null, '', ...(most ? ['x'.repeat(most + 1)] : [])],
];
const status = [
  [null, ...STATE_CODES],
  [7, 'NON'],
];
const integer = (least: number, most: number) => [
  [null, least, most],
  ['1', 1.5, least - 1, most + 1],
];
const declaration = {
  invoice_id: invoiceId,
  amount,
  notes: optionalText(2000),
  invoice_number: optionalText(60),
  invoice_date: [
    [null, '', '2026-07-01', '2026-07-01T10:00:00-05:00'],
    [7, 'yesterday', '2026-02-30', ' '],
  ],
  tax_pct: [
    [null, 0, 100],
    ['1', -0.01, 100.01],
  ],
};
const limits: readonly (readonly [Name, rules: string, Readonly<Record<string, unknown[][]>>])[] = [
  ['login', 'login', { email: text(254), password: text(), playerid: optionalText(200) }],
  ['listInvoices', 'list-invoices', { startdate: text(), enddate: text(), status, search: optionalText(120) }],
  ['listInvoices', 'list-invoices', { limit: integer(1, 100), offset: integer(0, Number.MAX_SAFE_INTEGER) }],
  ['getInvoice', 'get-invoice', { id: invoiceId }],
  ['declareInvoice', 'declare-invoice', declaration],
  // Limits that have rules of their own.
  ['login', 'limits', { playerid: optionalText(200) }],
  ['listInvoices', 'limits', { search: optionalText(120) }],
  ['declareInvoice', 'limits', { amount, invoice_number: declaration.invoice_number, tax_pct: declaration.tax_pct }],
  ['validateAmount', 'validate-amount', { invoice_id: invoiceId, amount }],
];
const cases = limits.flatMap(([name, rules, properties]) =>
  Object.entries(properties).map(([property, [good = [], bad = []]]) => {
    return { name, property, rule: `${rules}/${property}`, good, bad };
  }),
);

describe('the validator of a request', () => {
  it.each(Object.entries(valid))('takes what is required, and nothing else than an object: %s', (name, input) => {
    expect(isValid(name as Name, input)).toBe(true);
    for (const other of [[], 'text', 7, null]) expect(isValid(name as Name, other)).toBe(false);
    for (const property of Object.keys(input))
      expect(isValid(name as Name, { ...input, [property]: undefined }), `without ${property}`).toBe(false);
  });

  it.each(cases)(
    'takes up to the limits, and nothing beyond: $name, $property [$rule]',
    ({ name, property, good, bad }) => {
      const verdictOn = (value: unknown) => isValid(name, { ...valid[name], [property]: value });
      expect(good.filter((value) => !verdictOn(value))).toEqual([]);
      expect(bad.filter(verdictOn)).toEqual([]);
    },
  );
});

describe('the validator of a batch', () => {
  const batchOf = (...declarations: unknown[]) => isValid('declareBatch', { declarations });

  it('takes 1 to 100 declarations, in a list [declare-batch/declarations] [declare-batch/rule-2] [limits/declarations]', () => {
    const lists = [0, 1, 100, 101].map((length) => batchOf(...Array.from({ length }, () => valid.declareInvoice)));
    expect(lists).toEqual([false, true, true, false]);
    expect(isValid('declareBatch', { declarations: valid.declareInvoice })).toBe(false);
  });

  it('accepts an item with a text as invoice_id whatever its other properties are [declare-batch/rule-1]', () => {
    expect(batchOf({ invoice_id: 'x' }, { invoice_id: '', amount: -1, notes: 7 })).toBe(true);
    expect([{}, { invoice_id: 7 }, { invoice_id: null }].map((item) => batchOf(item))).toEqual([false, false, false]);
  });

  it('looks at every item, and requires an object of it', () => {
    const many = Array.from({ length: 99 }, () => valid.declareInvoice);
    expect([batchOf('text'), batchOf(...many, 'text'), batchOf(...many, [])]).toEqual([false, false, false]);
  });

  it('looks at no item of a list that is too long', () => {
    batchOf(...Array.from({ length: 101 }, () => 'text'));
    expect(validators.declareBatch.errors?.map(({ keyword }) => keyword)).toEqual(['maxItems']);
  });
});

describe('the validator of a legacy authorization', () => {
  const isValidWith = (changes: object) =>
    isValid('legacyDispatch', { WSAutorizacion: { Guid: KEY, Usuario: 'u', Password: 'p', ...changes } });

  it.each<[string, unknown[][]]>([
    [
      'Guid',
      [
        [KEY, KEY.toUpperCase()],
        [7, undefined, '', `${KEY}0`, 'x'],
      ],
    ],
    ['Usuario', [...text(254), [undefined]]],
    ['Password', [...text(), [undefined]]],
  ])('takes up to the limits, and nothing beyond: %s', (property, [good = [], ...bad]) => {
    expect(good.filter((value) => !isValidWith({ [property]: value }))).toEqual([]);
    expect(bad.flat().filter((value) => isValidWith({ [property]: value }))).toEqual([]);
  });

  it('is an object', () => {
    expect([[], 'text', null].filter((WSAutorizacion) => isValid('legacyDispatch', { WSAutorizacion }))).toEqual([]);
  });
});
