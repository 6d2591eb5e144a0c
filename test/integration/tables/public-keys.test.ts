import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { createPublicKeyReader, readPublicKeys } from '../../../lib/tables/public-keys.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
const nowSeconds = Date.parse('2026-07-01T10:00:00Z') / 1000;
useDate(nowSeconds * 1000);

beforeAll(async () => {
  const times = { expired: { ttl: nowSeconds }, undated: {}, valid: { ttl: nowSeconds + 1 } };
  for (const [kid, attributes] of Object.entries(times)) {
    const Item = { ...directoryKeys.publicKey(kid), jwk: { kid }, ...attributes };
    await engine.client.send(new PutCommand({ TableName: engine.tables.Directory, Item }));
  }
});

it('createPublicKeyReader returns a key until its expiry, and always a key without an expiry', async () => {
  const publicKeys = await createPublicKeyReader(engine.client, engine.tables.Directory)();
  expect(publicKeys.map(({ kid }) => kid)).toEqual(['undated', 'valid']);
});

it('readPublicKeys returns null for an absent expiry and an absent time of activation', async () => {
  const publishedKeys = await readPublicKeys(engine.client, engine.tables.Directory);
  const undatedKey = publishedKeys.find(({ publicKey }) => publicKey.kid === 'undated');
  expect(undatedKey).toMatchObject({ expiresAt: null, activeSince: null });
});
