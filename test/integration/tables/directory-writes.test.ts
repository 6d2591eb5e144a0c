import { expect, it } from 'vitest';
import type { User } from '../../../lib/domain/directory.ts';
import { createAccountLocks } from '../../../lib/tables/account-table.ts';
import { toRecord } from '../../../lib/tables/directory-table.ts';
import { createPlayerIdWriter } from '../../../lib/tables/player-ids.ts';
import { changeRecord, deleteRecord, readRecord, seedAccount } from '../../support/data/seed.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();

it('createPlayerIdWriter adds no player id after a conflict if the user is no longer active', async () => {
  const { keys, reference } = await seedAccount(engine);
  const user = toRecord('user', await readRecord(engine, keys.user)) as User;
  await changeRecord(engine, keys.user, { player_ids: ['other'], active: false });
  await createPlayerIdWriter(engine.client, engine.tables.Directory)(reference.tenant, user, 'new');
  expect(await readRecord(engine, keys.user)).toMatchObject({ player_ids: ['other'] });
});

it('clearFailures does not create the account of a user that was removed', async () => {
  const { keys, reference } = await seedAccount(engine);
  await deleteRecord(engine, keys.account);
  const accountLocks = createAccountLocks(engine.client, engine.tables.Directory);
  await accountLocks.clearFailures(reference.tenant, reference.userId);
  expect(await readRecord(engine, keys.account)).toEqual({});
});
