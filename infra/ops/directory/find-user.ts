import type { DirectoryItems } from '../../../lib/storage/directory-items.ts';
import { type DirectoryState, type Place, placesIn } from '../../../lib/admin/apply/directory-state.ts';
import type { Subject } from '../../../lib/admin/apply/settled.ts';
import { UsageError } from '../../../lib/admin/usage-error.ts';

/** How a command describes its argument that names a user. */
export const USER_ARGUMENT = 'the id, e-mail or username of the user; digits alone are an id';

/** The records that lead to the user of an id, e-mail or username, as far as they are known. */
export function placesOfUserNamed(tenant: string, name: string, known: DirectoryState): Place[] {
  const { user, account, login } = placesIn(tenant);
  const userId = userIdNamed(tenant, name, known);
  return [...(isUserId(name) ? [] : [login(name)]), ...(userId ? [user(userId), account(userId)] : [])];
}

/** The user of this name: its place, its record, its account, and what to call it; throws a UsageError when there is none. */
export function findUser(
  tenant: string,
  name: string,
  state: DirectoryState,
): {
  place: Place<'user'>;
  user: DirectoryItems['user'];
  account: DirectoryItems['account'] | null;
  subject: Subject;
} {
  const places = placesIn(tenant);
  const place = places.user(userIdNamed(tenant, name, state) ?? '');
  const user = state.get(place);
  if (!user) throw new UsageError(`There is no user ${name} in ${tenant}.`);
  const account = state.get(places.account(user.user_id));
  return { place, user, account, subject: { kind: 'user', tenant, user_id: user.user_id, email: user.email } };
}

function userIdNamed(tenant: string, name: string, known: DirectoryState): string | undefined {
  return isUserId(name) ? name : known.get(placesIn(tenant).login(name))?.user_id;
}

function isUserId(name: string): boolean {
  return /^\d+$/.test(name);
}
