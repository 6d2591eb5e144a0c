import type { DirectoryRecord, Place } from '../../storage/directory/directory-records.ts';
import { type DirectoryState, placesIn } from '../directory/directory-state.ts';
import type { Subject } from '../directory/entry-result.ts';
import { OperatorError } from '../operator-error.ts';

/** A user by its id, e-mail or username; digits alone are an id. */
export interface UserName {
  readonly tenant: string;
  readonly user: string;
}

/** A user that was found: its place, its record, its account, and what to call it. */
export interface FoundUser {
  readonly place: Place<'user'>;
  readonly user: DirectoryRecord<'user'>;
  readonly account: DirectoryRecord<'account'> | null;
  readonly subject: Subject;
}

/** The records that lead to a user, as far as they are known. */
export function placesOfUserNamed(name: UserName, known: DirectoryState): Place[] {
  const { user, account, login } = placesIn(name.tenant);
  const userId = userIdNamed(name, known);
  return [...(isUserId(name.user) ? [] : [login(name.user)]), ...(userId ? [user(userId), account(userId)] : [])];
}

/** The user of this name; throws an OperatorError when there is none. */
export function findUser(name: UserName, state: DirectoryState): FoundUser {
  const { tenant } = name;
  const places = placesIn(tenant);
  const place = places.user(userIdNamed(name, state) ?? '');
  const user = state.get(place);
  if (!user) throw new OperatorError(`There is no user ${name.user} in ${tenant}.`);
  const account = state.get(places.account(user.user_id));
  return { place, user, account, subject: { kind: 'user', tenant, user_id: user.user_id, email: user.email } };
}

function userIdNamed({ tenant, user }: UserName, known: DirectoryState): string | undefined {
  return isUserId(user) ? user : known.get(placesIn(tenant).login(user))?.user_id;
}

function isUserId(name: string): boolean {
  return /^\d+$/.test(name);
}
