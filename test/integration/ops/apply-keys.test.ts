import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../lib/auth/api-keys.ts';
import { listApiKeys } from '../../../lib/admin/directory/lists.ts';
import { createDirectoryRecords } from '../../../lib/storage/directory/directory-records.ts';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { allAre, apiKey, apply, lists } from '../../support/ops/apply-lists.ts';
import { changeRecord, deleteRecord, newId, readRecord } from '../../support/data/seed.ts';

const engine = useEngine();
let tenant: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const run = (file: Record<string, unknown>, options = {}) => apply(engine, tenant, file, options);

describe('API keys', () => {
  const readKey = (key: string) => readRecord(engine, directoryKeys.apiKey(hashApiKey(key)));

  it('are stored as a hash with the last four characters, valid from the first to the last instant', async () => {
    const key = randomUUID();
    await run({ ...lists, api_keys: [{ ...apiKey, key: key.toUpperCase() }] });
    const stored = await readKey(key);
    expect(stored).toMatchObject({
      tenant,
      company_id: '1',
      last4: key.slice(-4),
      valid_from: '2026-01-01T00:00:00.000Z',
      valid_until: '2026-12-31T23:59:59.999Z',
    });
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it('that are left out are made up, shown once, and found again by company and name', async () => {
    const { shownKeys } = await run(lists);
    expect(shownKeys).toEqual([expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)]);
    const again = await run({ ...lists, api_keys: [{ ...apiKey, status: 'INACTIVE' }] });
    expect(again).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'changed' }, shownKeys: [] });
    expect(await readKey(shownKeys[0] ?? '')).toMatchObject({ status: 'INACTIVE', last4: shownKeys[0]?.slice(-4) });
    const other = await run({ ...lists, api_keys: [{ ...apiKey, name: 'Second' }] });
    expect(other).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'created' }, shownKeys: [expect.any(String)] });
  });

  it('of another tenant are refused', async () => {
    const key = randomUUID();
    await run({ ...lists, api_keys: [{ ...apiKey, key }] });
    tenant = `t${newId()}.example`;
    const { outcomes } = await run({ ...lists, api_keys: [{ ...apiKey, key }] });
    expect(outcomes).toEqual({
      'tenants[0].api_keys[0]': ['tenants[0].api_keys[0].key: belongs to another tenant'],
    });
  });

  it('are listed with their tenant, those of older runs once they are applied again', async () => {
    const records = createDirectoryRecords(engine.client, engine.tables.Directory);
    const { shownKeys } = await run({ ...lists, api_keys: [apiKey, { ...apiKey, name: 'Second' }] });
    const hashes = shownKeys.map(hashApiKey);
    const listed = await listApiKeys({ records }, tenant);
    expect(new Map(listed.map(({ hash, name }) => [hash, name]))).toEqual(
      new Map([
        [hashes[0], 'ERP'],
        [hashes[1], 'Second'],
      ]),
    );
    await deleteRecord(engine, directoryKeys.listedApiKey(tenant, hashes[0] ?? ''));
    expect(await listApiKeys({ records }, tenant)).toHaveLength(1);
    expect((await run(lists)).outcomes).toMatchObject({ 'tenants[0].api_keys[0]': 'changed' });
    expect(await listApiKeys({ records }, tenant)).toHaveLength(2);
  });

  it('that were revoked do not become active again [api-key/status]', async () => {
    const { shownKeys } = await run(lists);
    const place = directoryKeys.apiKey(hashApiKey(shownKeys[0] ?? ''));
    const revoked = { status: 'INACTIVE', revoked_at: '2026-06-01T00:00:00.000Z' };
    await changeRecord(engine, place, revoked);
    for (const entry of [apiKey, { ...apiKey, key: shownKeys[0] }]) {
      expect(await run({ ...lists, api_keys: [entry] })).toEqual({ outcomes: allAre('left'), shownKeys: [] });
      expect(await readRecord(engine, place)).toMatchObject(revoked);
    }
    const later = { ...lists, api_keys: [{ ...apiKey, valid_until: '2027-01-01' }] };
    expect((await run(later)).outcomes).toMatchObject({ 'tenants[0].api_keys[0]': 'changed' });
    expect(await readRecord(engine, place)).toMatchObject({ ...revoked, valid_until: '2027-01-01T23:59:59.999Z' });
  });
});
