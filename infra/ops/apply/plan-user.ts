import type { DirectoryItems } from '../../../lib/storage/directory-items.ts';
import { loginNames } from './directory-rules.ts';
import { type DirectoryState, type Place, placesIn } from './directory-state.ts';
import { endOf } from './moments.ts';
import { type EntryOf, type Plan, planRecords, type Refusal } from './plan.ts';

/** The records on which the plan of a user depends. */
export function placesOfUser({ tenant, value }: EntryOf<'user'>, state: DirectoryState): Place[] {
  const places = placesIn(tenant);
  const user = places.user(value.user_id);
  const stored = state.get(user);
  return [
    user,
    ...(value.password ? [places.account(value.user_id)] : []),
    ...(value.supplier_id ? [places.supplier(value.supplier_id)] : []),
    ...[...loginNames(value), ...(stored ? loginNames(stored) : [])].map(places.login),
  ];
}

/** Plans a user, its login names and, when a password is given, its account. */
export function planUser(
  { path, tenant, value }: EntryOf<'user'>,
  state: DirectoryState,
  passwordHash: string | undefined,
): Plan | Refusal {
  const places = placesIn(tenant);
  const place = places.user(value.user_id);
  const stored = state.get(place);
  const names = loginNames(value);
  const isOthers = (name: string) => {
    const owner = state.get(places.login(name))?.user_id;
    return owner !== undefined && owner !== value.user_id;
  };
  const taken = names.filter(isOthers);
  if (taken.length > 0) {
    const property = (name: string) => (name === value.email.toLowerCase() ? 'email' : 'username');
    return { faults: taken.map((name) => `${path}.${property(name)}: is the login name of another user`) };
  }

  const reference = {
    user_id: value.user_id,
    company_id: value.company_id,
    ...(value.supplier_id && { supplier_id: value.supplier_id }),
  };
  const record: DirectoryItems['user'] = {
    ...reference,
    email: value.email,
    ...(value.username && { username: value.username }),
    permissions: [...value.permissions],
    active: value.active,
    license_active: value.license_active,
    ...(value.expires_at && { expires_at: endOf(value.expires_at) }),
  };
  const pointerOf = (name: string) => ({
    ...reference,
    ...(name !== value.email.toLowerCase() && { username: true as const }),
  });
  const givenUp = (stored ? loginNames(stored) : []).filter((name) => !names.includes(name) && !isOthers(name));
  const account = passwordHash
    ? state.changeTo(places.account(value.user_id), { password_hash: passwordHash })
    : undefined;
  const plan = planRecords(
    state.changeTo(place, record),
    ...(account ? [account] : []),
    ...names.map((name) => state.changeTo(places.login(name), pointerOf(name))),
    ...givenUp.map((name) => state.changeTo(places.login(name), null)),
  );
  return { ...plan, account };
}
