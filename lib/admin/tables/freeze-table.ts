import type { TableFreeze } from '../../storage/tables/table-freeze.ts';
import { OperatorError } from '../operator-error.ts';

/** How many denied writes in a row, a second apart, are believed: a policy spreads within seconds, not at once. */
const BELIEVED = 10;
const PATIENCE = 120;

/** Denies every write to a table, and returns when it has been denied for a while. */
export async function freezeTable(table: TableFreeze, wait: (seconds: number) => Promise<unknown>): Promise<void> {
  const state = await table.state();
  if (state === 'other') throw new OperatorError('The table has a resource policy of its own: deny the writes there.');
  if (state === 'open') await table.freeze();
  let denied = 0;
  for (let tries = 0; denied < BELIEVED; tries++) {
    if (tries === PATIENCE) throw new Error('The table still takes writes: run the command again.');
    denied = (await table.isDenied()) ? denied + 1 : 0;
    if (denied < BELIEVED) await wait(1);
  }
}

/** Lets a table be written to again. */
export async function thawTable(table: TableFreeze): Promise<'thawed' | 'open'> {
  const state = await table.state();
  if (state === 'other') throw new OperatorError('The table has a resource policy of its own, which freezes nothing.');
  if (state === 'open') return 'open';
  await table.thaw();
  return 'thawed';
}
