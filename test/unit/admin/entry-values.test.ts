import { describe, expect, it } from 'vitest';
import { toFileValue, toListedValue, toRecord } from '../../../infra/ops/directory/entry-values.ts';
import { decimal } from '../../../lib/domain/money.ts';

const entry = {
  ...{ user_id: '300', company_id: '100', email: 'ana@x.example' },
  ...{ permissions: ['READ'], active: true, license_active: true },
};
const stored = {
  ...entry,
  ...{ username: 'ana', supplier_id: '200', expires_at: '2026-12-31T23:59:59.999Z' },
  ...{ stopped_at: '2026-11-01T00:00:00.000Z', tokens_from: '2026-11-01T00:00:00.001Z', player_ids: ['p1'] },
};
const tolerance = {
  mode: 'AMB',
  tolerance_pct: decimal('2.50'),
  tolerance_abs: decimal('0'),
  auto_approve: true,
} as const;

describe('the record of an entry', () => {
  it('contains neither the password of a user nor the text of an API key', () => {
    const key = { company_id: '100', name: 'ERP', scope: 'SUPPLIER_PORTAL', status: 'ACTIVE' } as const;
    const dates = { valid_from: '2026-01-01', valid_until: '2026-01-31' };
    expect(toRecord('user', { ...entry, password: 'secret' }, null)).toEqual(entry);
    expect(toRecord('api_key', { ...key, ...dates, key: 'a-uuid' }, null)).toEqual({
      ...key,
      ...{ valid_from: '2026-01-01T00:00:00.000Z', valid_until: '2026-01-31T23:59:59.999Z' },
    });
  });

  it('keeps the fields that the entry does not name, and lacks those that are null in the entry', () => {
    expect(toRecord('user', entry, stored)).toEqual(stored);
    const removed = { username: null, supplier_id: null, expires_at: null };
    const { username: _, supplier_id: _supplier, expires_at: _expiry, ...rest } = stored;
    expect(toRecord('user', { ...entry, ...removed }, stored)).toEqual(rest);
  });

  it('contains the tolerance of the entry as a whole', () => {
    const value = { mode: 'PCT', tolerance_pct: 2.5, tolerance_abs: null, auto_approve: false } as const;
    expect(toRecord('tenant', { tenant: 'x.example', tolerance: value }, { tenant: 'x.example', tolerance })).toEqual({
      tenant: 'x.example',
      tolerance: { mode: 'PCT', tolerance_pct: decimal('2.5'), auto_approve: false },
    });
  });
});

describe('a record', () => {
  it('is written to a file without the fields that only commands, logins or the service write', () => {
    const { stopped_at: _, tokens_from: _cutoff, player_ids: _ids, ...inFile } = stored;
    expect(toFileValue('user', stored)).toEqual(inFile);
    const supplier = { supplier_id: '200', name: 'Supplier', company_id: '100', tolerance };
    expect(toFileValue('supplier', supplier).tolerance).toEqual({ ...tolerance, tolerance_pct: 2.5, tolerance_abs: 0 });
  });

  it('is listed with the time at which a command suspended it, and with null for absent fields', () => {
    expect(toListedValue('company', { company_id: '100', name: 'C', status: 'ACTIVE' })).toEqual({
      ...{ company_id: '100', name: 'C', status: 'ACTIVE', stopped_at: null },
    });
    expect(Object.keys(toListedValue('user', stored))).not.toContain('tokens_from');
  });
});
