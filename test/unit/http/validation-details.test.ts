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

  it('name every missing property [codes/VALIDATION_ERROR/missing]', () => {
    expect(detailsOf(declareInvoice, {})).toEqual([
      { property: 'invoice_id', constraints: { required: 'invoice_id is required' } },
      { property: 'amount', constraints: { required: 'amount is required' } },
    ]);
  });

  it('name the property of an array item by its path', () => {
    const declarations = [good, good, { ...good, invoice_id: '' }, { invoice_id: '1' }];
    expect(detailsOf(declareBatch, { declarations })).toEqual([
      { property: 'declarations[2].invoice_id', constraints: { pattern: expect.stringContaining('digits only') } },
      { property: 'declarations[3].amount', constraints: { required: 'declarations[3].amount is required' } },
    ]);
  });

  it('name an array item that is no object', () => {
    expect(detailsOf(declareBatch, { declarations: [good, 'x'] })).toEqual([
      { property: 'declarations[1]', constraints: { type: 'declarations[1] must be object' } },
    ]);
  });

  it('name an array that is too long or empty, and not its items', () => {
    expect(detailsOf(declareBatch, { declarations: Array.from({ length: 101 }, () => ({})) })).toEqual([
      { property: 'declarations', constraints: { maxItems: 'declarations must NOT have more than 100 items' } },
    ]);
    expect(detailsOf(declareBatch, { declarations: [] })).toEqual([
      { property: 'declarations', constraints: { minItems: 'declarations must NOT have fewer than 1 items' } },
    ]);
  });

  it('name the input itself when it is no object', () => {
    for (const input of [null, [], 'text', 7]) {
      expect(detailsOf(declareInvoice, input)).toEqual([
        { property: 'body', constraints: { type: 'body must be object' } },
      ]);
    }
  });

  it('list the values of an enumeration', () => {
    const query = { startdate: '2026-07-01', enddate: '2026-07-31', status: 'pen' };
    expect(detailsOf(listInvoices, query)).toEqual([
      { property: 'status', constraints: { enum: 'status must be one of PEN, ENV, APR, REV, REC, AJU, LIQ' } },
    ]);
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

  it('are none for a valid input', () => {
    expect(detailsOf(getInvoice, { id: '00001' })).toEqual([]);
  });
});
