import { tokensFromAfter } from '../../domain/sessions.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { DirectoryChange } from './change.ts';
import { type DirectoryRecord, keysIn, type RecordChange } from '../ports/directory-records.ts';
import type { DirectorySnapshot } from './snapshot.ts';

/** What a user and its account (null: it has none) become; `tokens_from` is what it was. */
export interface ChangedUser {
  readonly user: DirectoryRecord<'user'>;
  readonly account: DirectoryRecord<'account'> | null;
  /** All its tokens are refused from now on. */
  readonly endsSessions: boolean;
  /** What is written with it. */
  readonly others?: readonly RecordChange[];
}

/** The change of a user. */
export async function changeUser(
  directory: DirectorySnapshot,
  tenant: string,
  { user, account, endsSessions, others = [] }: ChangedUser,
): Promise<DirectoryChange> {
  const keys = keysIn(tenant);
  const { user_id: id, email } = user;
  const ended = endsSessions ? { tokens_from: tokensFromAfter(systemClock.now(), user.tokens_from) } : {};
  const accountChanges = account ? [await directory.changeTo(keys.account(id), { ...account, ...ended })] : [];
  return {
    subject: { kind: 'user', tenant, user_id: id, email },
    record: await directory.changeTo(keys.user(id), { ...user, ...ended }),
    others: [...accountChanges, ...others],
    ...(ended.tokens_from && { next: () => endLateSessions(tenant, id, ended.tokens_from) }),
  };
}

// A login by what was true before may have been under way until now: if the write took longer than the second in which
// it was planned, its token is not refused yet.
function endLateSessions(tenant: string, userId: string, tokensFrom: string) {
  if (systemClock.now().getTime() < Date.parse(tokensFrom)) return null;
  const keys = keysIn(tenant);
  return async (directory: DirectorySnapshot): Promise<DirectoryChange> => {
    const user = await directory.existing(keys.user(userId), `user ${userId} in ${tenant}`);
    const account = await directory.get(keys.account(userId));
    const { next: _, ...change } = await changeUser(directory, tenant, { user, account, endsSessions: true });
    return change;
  };
}
