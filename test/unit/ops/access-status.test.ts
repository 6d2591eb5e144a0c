import { expect, it } from 'vitest';
import { getAccessStatus, selectExpiring } from '../../../infra/ops/directory/lists.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { apiKey, user } from '../../support/ops/apply-lists.ts';

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const activeKey = { ...apiKey, status: 'ACTIVE', tenant: 't.example', last4: 'beef', valid_until: inDays(1) } as const;

it.each([
  ['ACTIVE', { ...user, expires_at: inDays(1) }],
  ['EXPIRED', { ...user, expires_at: inDays(-1) }],
  ['NO_LICENSE', { ...user, expires_at: inDays(-1), license_active: false }],
  ['INACTIVE', { ...user, license_active: false, active: false }],
  ['ERASED', { ...user, active: false, erased_at: inDays(-1) }],
  ['ACTIVE', activeKey],
  ['EXPIRED', { ...activeKey, valid_until: inDays(-1) }],
  ['INACTIVE', { ...activeKey, status: 'INACTIVE', valid_until: inDays(-1) }],
  ['REVOKED', { ...activeKey, status: 'INACTIVE', revoked_at: inDays(-1) }],
])('the status of a user or an API key is %s: %j', (status, record) => {
  expect(getAccessStatus(record)).toBe(status);
});

it('selectExpiring yields the active users and keys that expire within a number of days', async () => {
  const ends = [-1, 13, 15].map(inDays);
  const users = [user, ...ends.map((expires_at) => ({ ...user, expires_at }))];
  const keys = ends.map((valid_until) => ({ ...activeKey, valid_until }));
  const others = [
    { ...user, active: false, expires_at: ends[1] },
    { ...activeKey, status: 'INACTIVE' },
  ];
  async function* readPages() {
    yield* [[...users, ...others], keys] as Attributes[][];
  }
  expect(await collectPages(selectExpiring(readPages(), 14))).toEqual([users[2], keys[1]]);
});
