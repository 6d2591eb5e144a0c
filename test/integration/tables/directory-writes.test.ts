import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toEntity, type User } from '../../../lib/domain/directory.ts';
import { createAccountLocks } from '../../../lib/tables/account-table.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { createPlayerIdWriter } from '../../../lib/tables/player-ids.ts';
import { createPublicKeyReader, readPublicKeys } from '../../../lib/tables/public-keys.ts';
import { type Account, changeRecord, deleteRecord, readRecord, seedAccount } from '../../support/data/seed.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();

/** Reads the user of an account, as a login does before it adds a player id. */
async function readUser({ keys }: Account): Promise<User> {
  return toEntity.user((await readRecord(portal.engine, keys.user)) as never);
}

describe('the writer of player ids', () => {
  const addPlayerId = (account: Account, user: User) => {
    const { client, tables } = portal.engine;
    return createPlayerIdWriter(client, tables.Directory)(account.reference.tenant, user, 'new');
  };

  it('a player id is added to those that another login has stored since the user was read', async () => {
    const account = await seedAccount(portal.engine);
    const user = await readUser(account);
    await changeRecord(portal.engine, account.keys.user, { player_ids: ['other'] });
    await addPlayerId(account, user);
    expect(await readRecord(portal.engine, account.keys.user)).toMatchObject({ player_ids: ['other', 'new'] });
  });

  it('a user that was deactivated since it was read gets no player id', async () => {
    const account = await seedAccount(portal.engine);
    const user = await readUser(account);
    await changeRecord(portal.engine, account.keys.user, { player_ids: ['other'], active: false });
    await addPlayerId(account, user);
    expect(await readRecord(portal.engine, account.keys.user)).toMatchObject({ player_ids: ['other'] });
  });

  it('a user that was removed since it was read is not created again', async () => {
    const account = await seedAccount(portal.engine);
    const user = await readUser(account);
    await deleteRecord(portal.engine, account.keys.user);
    await addPlayerId(account, user);
    expect(await readRecord(portal.engine, account.keys.user)).toEqual({});
  });
});

it('clearFailures does not create the account of a user that was removed', async () => {
  const account = await seedAccount(portal.engine);
  await deleteRecord(portal.engine, account.keys.account);
  const { tenant, userId } = account.reference;
  await createAccountLocks(portal.engine.client, portal.engine.tables.Directory).clearFailures(tenant, userId);
  expect(await readRecord(portal.engine, account.keys.account)).toEqual({});
});

describe('the public keys', () => {
  const nowSeconds = Date.parse('2026-07-01T10:00:00Z') / 1000;
  useDate(nowSeconds * 1000);

  it('a key is trusted until it expires, and a key without times has no times', async () => {
    const { client, tables } = portal.engine;
    const times = { expired: { ttl: nowSeconds }, valid: { ttl: nowSeconds + 1 }, undated: {} };
    for (const [kid, attributes] of Object.entries(times)) {
      const Item = { ...directoryKeys.publicKey(kid), jwk: { kid }, ...attributes };
      await client.send(new PutCommand({ TableName: tables.Directory, Item }));
    }
    const ownKids = new Set(Object.keys(times));
    const trustedKids = (await createPublicKeyReader(client, tables.Directory)()).map(({ kid }) => kid);
    expect(trustedKids.filter((kid) => ownKids.has(kid))).toEqual(['undated', 'valid']);
    const published = await readPublicKeys(client, tables.Directory);
    expect(published.find(({ publicKey }) => publicKey.kid === 'undated')).toMatchObject({
      ...{ expiresAt: null, activeSince: null },
    });
  });
});
