import { expect, it } from 'vitest';
import { findErrors as findEntryErrors, listEntries } from '../../../infra/ops/directory/read-entries.ts';

const company = { company_id: '1', name: 'Company', status: 'ACTIVE' };
const supplier = { supplier_id: '10', name: 'Supplier', company_id: '1' };
const flags = { active: true, license_active: true };
const user = { user_id: '100', company_id: '1', email: 'a@x.example', permissions: ['READ'], ...flags };
const validity = { valid_from: '2026-01-01', valid_until: '2026-12-31' };
const apiKey = { company_id: '1', name: 'ERP', scope: 'SUPPLIER_PORTAL', status: 'ACTIVE', ...validity };
const key = '6f1c2a34-0000-4000-8000-00000000000a';
const pct = { mode: 'PCT', tolerance_pct: 5, auto_approve: true };

/** The errors that are found in one tenant without looking into the directory. */
function findErrors(lists: Record<string, unknown>): string[] {
  return [...listEntries({ tenants: [{ tenant: 't.example', ...lists }] })].flatMap(findEntryErrors);
}

it('an entry comes after the entries that it refers to, and an API key without its text after the others', () => {
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

it('an optional property can be null', () => {
  const users = [{ ...user, username: null, password: null, supplier_id: null, expires_at: null }];
  const suppliers = [{ ...supplier, tolerance: null }];
  expect(findErrors({ tolerance: null, suppliers, users, api_keys: [{ ...apiKey, key: null }] })).toEqual([]);
});

it('each error of an entry has its path', () => {
  const faulty = { ...user, user_id: 100, email: 'nobody', permissions: ['READ', ''], active: 'yes', licence: true };
  expect(findErrors({ users: [user, null, faulty] }).toSorted()).toEqual([
    'tenants[0].users[1]: must be an object',
    'tenants[0].users[2].active: must be true or false',
    'tenants[0].users[2].email: must be an e-mail address of at most 200 characters',
    'tenants[0].users[2].licence: is not a known property',
    'tenants[0].users[2].permissions[1]: must be a string of 1 to 200 characters',
    'tenants[0].users[2].user_id: must be a string of 1 to 20 digits',
  ]);
});

const withLimits = (limits: object) => ({ tolerance: { ...pct, ...limits } });
it.each([
  ['a list that is none', { users: {} }, 'tenants[0].users: must be a list'],
  ['a tenant in capitals', { tenant: 'T.example' }, 'tenants[0].tenant: must be a domain of lower-case'],
  ['a missing property', { companies: [{ company_id: '1', name: 'C' }] }, '.companies[0].status: is required'],
  ['an id with a letter', { companies: [{ ...company, company_id: '1a' }] }, '.company_id: must be a string of 1 to'],
  ['a key that is no UUID', { api_keys: [{ ...apiKey, key: 'k' }] }, '.key: must be a UUID'],
  ['no such day', { users: [{ ...user, expires_at: '2026-02-30' }] }, '.expires_at: must be an ISO 8601'],
  ['an unknown mode', withLimits({ mode: 'X' }), '.tolerance.mode: must be one of PCT, ABS, AMB'],
  ['a limit of 7 decimals', withLimits({ tolerance_pct: 0.0000001 }), '.tolerance_pct: must be a number'],
])('findErrors rejects %s', (_, lists, fault) => {
  expect(findErrors(lists)).toEqual([expect.stringContaining(fault)]);
});

it.each([
  ['PCT', { tolerance_abs: 1 }, 'tolerance_pct'],
  ['ABS', { tolerance_pct: 1 }, 'tolerance_abs'],
  ['AMB', { tolerance_pct: 1, tolerance_abs: null }, 'tolerance_abs'],
])('a tolerance of mode %s requires its limits', (mode, limits, missing) => {
  const tolerance = { mode, auto_approve: true, ...limits };
  const faults = ['', '.suppliers[0]'].map((of) => `tenants[0]${of}.tolerance.${missing}: is required in mode ${mode}`);
  expect(findErrors({ tolerance, suppliers: [{ ...supplier, tolerance }] })).toEqual(faults);
});

it('the validity of a key cannot end before it begins, and includes its last day', () => {
  const faultsWith = (dates: object) => findErrors({ api_keys: [{ ...apiKey, ...dates }] });
  const fault = 'tenants[0].api_keys[0].valid_until: is before valid_from';
  expect(faultsWith({ valid_until: '2025-12-31' })).toEqual([fault]);
  expect(faultsWith({ valid_from: '2026-01-01T23:00:00Z', valid_until: '2026-01-01' })).toEqual([]);
});
