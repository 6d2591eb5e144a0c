import type { ValidateFunction } from 'ajv';
import { expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { dateForms } from '../../../lib/domain/texts.ts';
import { declareBatch, declareInvoice, getInvoice } from '../../../lib/contracts/validators.generated.js';
import type { PropertyFault } from '../../../lib/domain/errors.ts';
import { toPropertyFaults } from '../../../lib/http/validation-details.ts';
import { proves } from '../../rules/proves.ts';

function validateInEnglish(validate: ValidateFunction, input: unknown) {
  return validate(input) ? [] : inEnglish(toPropertyFaults(validate.errors ?? [], 'body'));
}

function inEnglish(details: readonly PropertyFault[]) {
  return details.map(({ property, constraints }) => ({
    property,
    constraints: Object.fromEntries(Object.entries(constraints).map(([name, text]) => [name, text.en])),
  }));
}

const good = { invoice_id: '1001', amount: 10 };

it('toPropertyFaults returns every invalid property at once, each with a message', () => {
  proves('error-envelope/details', 'error-envelope/always-details');
  expect(
    validateInEnglish(declareInvoice, { invoice_id: 'A1', amount: -1, tax_pct: 101, invoice_date: '2026-02-30' }),
  ).toEqual([
    { property: 'invoice_id', constraints: { pattern: 'invoice_id must hold digits only' } },
    { property: 'amount', constraints: { minimum: 'amount must be >= 0' } },
    {
      property: 'invoice_date',
      constraints: { format: `invoice_date must be ${dateForms.en}` },
    },
    { property: 'tax_pct', constraints: { maximum: 'tax_pct must be <= 100' } },
  ]);
});

const buildBatch = (length: number) => ({ declarations: Array.from({ length }, () => ({})) });
const mixed = { declarations: [good, 'x', { ...good, amount: -1 }, { invoice_id: 1 }] };
const many = 'must NOT have';
it.each<[string, ValidateFunction, input: unknown, ...string[]]>([
  [
    'every missing property',
    ...([declareInvoice, {}, 'invoice_id required: is required', 'amount required: is required'] as const),
  ],
  [
    'the path of a property in an array, and an array item that is not an object',
    ...([declareBatch, mixed, 'declarations[1] type: must be object'] as const),
    'declarations[3].invoice_id type: must be string',
  ],
  [
    'a list that is too long, without its items',
    declareBatch,
    buildBatch(101),
    `declarations maxItems: ${many} more than ${LIMITS.batchItems} items`,
  ],
  ['the input itself if it is null', declareInvoice, null, 'body type: must be object'],
  ['nothing for a valid input', getInvoice, { id: '00001' }],
])('toPropertyFaults returns %s', (_, validate, input, ...details) => {
  proves('codes/VALIDATION_ERROR/missing');
  const expected = details.map((detail) => {
    const [, property = '', keyword = '', text] = /^(\S+) (\w+): (.*)$/.exec(detail) ?? [];
    return { property, constraints: { [keyword]: `${property} ${text}` } };
  });
  expect(validateInEnglish(validate, input)).toEqual(expected);
});

it('toPropertyFaults returns all violated constraints of a property together', () => {
  proves('error-envelope/details');
  const [instancePath, schemaPath] = ['/amount', ''];
  const type = { instancePath, keyword: 'type', params: { type: 'number' }, schemaPath };
  const minimum = { instancePath, keyword: 'minimum', params: { limit: 0 }, schemaPath };
  expect(inEnglish(toPropertyFaults([type, minimum], 'body'))).toEqual([
    { property: 'amount', constraints: { type: 'amount must be number', minimum: 'amount must be >= 0' } },
  ]);
});

it('toPropertyFaults returns the text "is not valid" for a constraint without a text of its own', () => {
  const keywords = ['uniqueItems', 'pattern', 'format'];
  const errors = keywords.map((keyword) => ({ instancePath: `/${keyword}`, keyword, params: {}, schemaPath: '' }));
  const details = inEnglish(toPropertyFaults(errors, 'body'));
  const expected = keywords.map((keyword) => ({ [keyword]: `${keyword} is not valid` }));
  expect(details.map(({ constraints }) => constraints)).toEqual(expected);
});
