import { expect, it } from 'vitest';
import { findErrors as findEntryErrors, listEntries } from '../../../infra/ops/directory/read-entries.ts';
import { apiKey, company, supplier, user } from '../../support/ops/apply-lists.ts';

const key = '6f1c2a34-0000-4000-8000-00000000000a';
const pct = { mode: 'PCT', tolerance_pct: 5, auto_approve: true };

/** Returns the errors in the lists of one tenant that can be found without reading the directory. */
function findErrors(lists: Record<string, unknown>): string[] {
  return [...listEntries({ tenants: [{ tenant: 't.example', ...lists }] })].flatMap(findEntryErrors);
}

it('listEntries yields each entry after the entries that it refers to, and API keys without a key last', () => {
  const file = { users: [user], api_keys: [apiKey, { ...apiKey, key }], suppliers: [supplier], companies: [company] };
  const lists = ['', '.companies[0]', '.suppliers[0]', '.users[0]', '.api_keys[1]', '.api_keys[0]'];
  const entries = [...listEntries({ tenants: [{ tenant: 't.example', ...file }] })];
  expect(entries.map(({ path }) => path)).toEqual(lists.map((list) => `tenants[0]${list}`));
});

it.each([null, [], 'text', {}, { tenants: {} }])(
  'listEntries throws an error for a document without a list of tenants: %j',
  (document) => {
    expect(() => [...listEntries(document)]).toThrow('The file has no list "tenants".');
  },
);

it('findErrors accepts null for optional properties', () => {
  const users = [{ ...user, username: null, password: null, supplier_id: null, expires_at: null }];
  const suppliers = [{ ...supplier, tolerance: null }];
  expect(findErrors({ tolerance: null, suppliers, users, api_keys: [{ ...apiKey, key: null }] })).toEqual([]);
});

it('findErrors returns each error with the path of its property', () => {
  const invalid = {
    ...user,
    user_id: 100,
    email: 'nobody',
    permissions: ['READ', ''],
    active: 'yes',
    licence: true,
  };
  expect(findErrors({ users: [user, null, invalid] }).toSorted()).toEqual([
    'tenants[0].users[1]: must be an object',
    'tenants[0].users[2].active: must be true or false',
    'tenants[0].users[2].email: must be an e-mail address of at most 200 characters',
    'tenants[0].users[2].licence: is not a known property',
    'tenants[0].users[2].permissions[1]: must be a string of 1 to 200 characters',
    'tenants[0].users[2].user_id: must be a string of 1 to 20 digits',
  ]);
});

const createTolerance = (limits: object) => ({ tolerance: { ...pct, ...limits } });
it.each([
  ['a list that is an object', { users: {} }, 'tenants[0].users: must be a list'],
  ['a tenant in capitals', { tenant: 'T.example' }, 'tenants[0].tenant: must be a domain of lower-case'],
  ['a missing property', { companies: [{ company_id: '1', name: 'C' }] }, '.companies[0].status: is required'],
  ['an id with a letter', { companies: [{ ...company, company_id: '1a' }] }, '.company_id: must be a string of 1 to'],
  ['a key that is not a UUID', { api_keys: [{ ...apiKey, key: 'k' }] }, '.key: must be a UUID'],
  [
    'a day that does not exist',
    { users: [{ ...user, expires_at: '2026-02-30' }] },
    '.expires_at: must be an existing date',
  ],
  ['an unknown mode', createTolerance({ mode: 'X' }), '.tolerance.mode: must be one of PCT, ABS, AMB'],
  ['a limit with 7 decimals', createTolerance({ tolerance_pct: 0.0000001 }), '.tolerance_pct: must be a number'],
])('findErrors returns the error of %s', (_, lists, error) => {
  expect(findErrors(lists)).toEqual([expect.stringContaining(error)]);
});

it.each([
  ['PCT', { tolerance_abs: 1 }, 'tolerance_pct'],
  ['ABS', { tolerance_pct: 1 }, 'tolerance_abs'],
  ['AMB', { tolerance_pct: 1, tolerance_abs: null }, 'tolerance_abs'],
])('a tolerance of mode %s requires its limits', (mode, limits, missing) => {
  const tolerance = { mode, auto_approve: true, ...limits };
  const errors = ['', '.suppliers[0]'].map((at) => `tenants[0]${at}.tolerance.${missing}: is required in mode ${mode}`);
  expect(findErrors({ tolerance, suppliers: [{ ...supplier, tolerance }] })).toEqual(errors);
});

it('findErrors rejects a validity that ends before it begins, and accepts one that ends on its first day', () => {
  const findValidityErrors = (dates: object) => findErrors({ api_keys: [{ ...apiKey, ...dates }] });
  const error = 'tenants[0].api_keys[0].valid_until: is before valid_from';
  expect(findValidityErrors({ valid_until: '2025-12-31' })).toEqual([error]);
  expect(findValidityErrors({ valid_from: '2026-01-01T23:00:00Z', valid_until: '2026-01-01' })).toEqual([]);
});
