import type { ValidateFunction } from 'ajv';
import { describe, expect, it } from 'vitest';
import { declareBatch, declareInvoice, getInvoice, listInvoices } from '../../../lib/contracts/validators.generated.js';
import type { PropertyFault } from '../../../lib/domain/errors.ts';
import type { Language } from '../../../lib/domain/language.ts';
import { toDetails } from '../../../lib/http/validation-details.ts';

function detailsOf(validate: ValidateFunction, input: unknown) {
  return validate(input) ? [] : inLanguage('en', toDetails(validate.errors ?? [], 'body'));
}

function inLanguage(language: Language, details: readonly PropertyFault[]) {
  return details.map(({ property, constraints }) => ({
    property,
    constraints: Object.fromEntries(Object.entries(constraints).map(([name, text]) => [name, text[language]])),
  }));
}

const good = { invoice_id: '1001', amount: 10 };

describe('validation details', () => {
  it('name every invalid property at once, each with a message [error-envelope/details] [error-envelope/always-details]', () => {
    expect(
      detailsOf(declareInvoice, { invoice_id: 'A1', amount: -1, tax_pct: 101, invoice_date: '2026-02-30' }),
    ).toEqual([
      { property: 'invoice_id', constraints: { pattern: 'invoice_id must hold digits only' } },
      { property: 'amount', constraints: { minimum: 'amount must be >= 0' } },
      { property: 'invoice_date', constraints: { format: 'invoice_date must be a valid ISO 8601 date or date-time' } },
      { property: 'tax_pct', constraints: { maximum: 'tax_pct must be <= 100' } },
    ]);
  });

  const many = (length: number) => ({ declarations: Array.from({ length }, () => ({})) });
  const query = { startdate: '2026-07-01', enddate: '2026-07-31', status: 'pen' };
  it.each<
    [what: string, ValidateFunction, input: unknown, ...details: [property: string, keyword: string, text: string][]]
  >([
    [
      'every missing property [codes/VALIDATION_ERROR/missing]',
      declareInvoice,
      {},
      ['invoice_id', 'required', 'is required'],
      ['amount', 'required', 'is required'],
    ],
    [
      'the property of an array item by its path',
      declareBatch,
      { declarations: [good, good, { ...good, invoice_id: '' }, { invoice_id: '1' }] },
      ['declarations[2].invoice_id', 'pattern', 'must hold digits only'],
      ['declarations[3].amount', 'required', 'is required'],
    ],
    [
      'an array item that is no object',
      declareBatch,
      { declarations: [good, 'x'] },
      ['declarations[1]', 'type', 'must be object'],
    ],
    [
      'an array that is too long, and not its items',
      declareBatch,
      many(101),
      ['declarations', 'maxItems', 'must NOT have more than 100 items'],
    ],
    ['an array that is empty', declareBatch, many(0), ['declarations', 'minItems', 'must NOT have fewer than 1 items']],
    ['the input itself when it is null', declareInvoice, null, ['body', 'type', 'must be object']],
    ['the input itself when it is an array', declareInvoice, [], ['body', 'type', 'must be object']],
    [
      'the values of an enumeration',
      listInvoices,
      query,
      ['status', 'enum', 'must be one of PEN, ENV, APR, REV, REC, AJU, LIQ'],
    ],
    ['nothing of a valid input', getInvoice, { id: '00001' }],
  ])('name %s', (_, validate, input, ...details) => {
    const named = details.map(([property, keyword, text]) => ({
      property,
      constraints: { [keyword]: `${property} ${text}` },
    }));
    expect(detailsOf(validate, input)).toEqual(named);
  });

  it('gather all constraints that one property breaks [error-envelope/details]', () => {
    const details = toDetails(
      [
        { instancePath: '/amount', keyword: 'type', params: { type: 'number' }, schemaPath: '' },
        { instancePath: '/amount', keyword: 'minimum', params: { limit: 0 }, schemaPath: '' },
      ],
      'body',
    );
    expect(inLanguage('en', details)).toEqual([
      { property: 'amount', constraints: { type: 'amount must be number', minimum: 'amount must be >= 0' } },
    ]);
  });

  it('say that a property is not valid where there is no text for why', () => {
    const errors = ['uniqueItems', 'pattern', 'format'].map((keyword) => ({
      instancePath: `/${keyword}`,
      keyword,
      params: {},
      schemaPath: '',
    }));
    const details = inLanguage('en', toDetails(errors, 'body'));
    expect(details.map(({ constraints }) => constraints)).toEqual([
      { uniqueItems: 'uniqueItems is not valid' },
      { pattern: 'pattern is not valid' },
      { format: 'format is not valid' },
    ]);
  });

  it('say the same in Spanish, under the same names', () => {
    const input = { startdate: '', limit: 101, offset: 1.5, status: 'pen', search: 'x'.repeat(121) };
    expect(listInvoices(input)).toBe(false);
    const details = toDetails(listInvoices.errors ?? [], 'query');
    const spanish = Object.fromEntries(
      inLanguage('es', details).map(({ property, constraints }) => [property, constraints]),
    );
    expect(spanish).toEqual({
      enddate: { required: 'enddate es obligatorio' },
      startdate: { minLength: 'startdate no debe tener menos de 1 carácter' },
      limit: { maximum: 'limit debe ser <= 100' },
      offset: { type: 'offset debe ser un número entero' },
      status: { enum: 'status debe ser uno de PEN, ENV, APR, REV, REC, AJU, LIQ' },
      search: { maxLength: 'search no debe tener más de 120 caracteres' },
    });
  });
});
