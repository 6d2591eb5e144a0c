import { tokensFromAfter } from '../../domain/sessions.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { DirectoryRecord, RecordChange } from '../../storage/directory/directory-records.ts';
import { type DirectoryState, placesIn, readState } from './directory-state.ts';
import { type NextPlan, type Plan, planRecords } from './plan.ts';

/**
 * What becomes of a user's record and account (null: it has none), and whether all its sessions end; `tokens_from` is
 * what it was.
 */
export interface UserRecords {
  readonly user: DirectoryRecord<'user'>;
  readonly account: DirectoryRecord<'account'> | null;
  readonly endsSessions: boolean;
}

/** Plans the records of a user, and what points to them. */
export function planUserRecords(
  state: DirectoryState,
  tenant: string,
  { user, account, endsSessions }: UserRecords,
  ...pointers: readonly RecordChange[]
): Plan {
  const places = placesIn(tenant);
  const ended = endsSessions ? { tokens_from: tokensFromAfter(systemClock.now(), user.tokens_from) } : {};
  const changed = account && state.changeTo(places.account(user.user_id), { ...account, ...ended });
  const record = state.changeTo(places.user(user.user_id), { ...user, ...ended });
  return {
    ...planRecords(record, ...(changed ? [changed] : []), ...pointers),
    ...(changed && { account: changed }),
    ...(ended.tokens_from && { next: endLateSessions(tenant, user.user_id, ended.tokens_from) }),
  };
}

/**
 * What is still to be written once the end of sessions is written. A login by what was true before may have been under
 * way until then: if that took longer than the second in which it was planned, its token is not refused yet.
 */
function endLateSessions(tenant: string, userId: string, tokensFrom: string): () => NextPlan | null {
  const { user: userPlace, account: accountPlace } = placesIn(tenant);
  const places = { user: userPlace(userId), account: accountPlace(userId) };
  const planAgain: NextPlan = async (read) => {
    const state = await readState(read, () => Object.values(places));
    const [user, account] = [state.get(places.user), state.get(places.account)];
    if (!user) return planRecords({ place: places.user, before: null });
    const { next: _, ...plan } = planUserRecords(state, tenant, { user, account, endsSessions: true });
    return plan;
  };
  return () => (systemClock.now().getTime() < Date.parse(tokensFrom) ? null : planAgain);
}
