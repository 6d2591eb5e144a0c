import { endOf } from '../../domain/iso-date.ts';
import type { DirectoryRecord, Place } from '../../storage/directory/directory-records.ts';
import { type DirectoryState, placesIn } from '../directory/directory-state.ts';
import { planUserRecords } from '../directory/plan-user-records.ts';
import type { Plan, Refusal } from '../directory/plan.ts';
import { leftAlone } from '../directory/stopped-by-command.ts';
import type { EntryOf } from './directory-entries.ts';
import { loginNames } from './directory-rules.ts';

/** The records on which the plan of a user depends. */
export function placesOfUser({ tenant, value }: EntryOf<'user'>, state: DirectoryState): Place[] {
  const places = placesIn(tenant);
  const user = places.user(value.user_id);
  const stored = state.get(user);
  const supplierId = after(value.supplier_id, stored?.supplier_id);
  return [
    user,
    places.account(value.user_id),
    ...(supplierId ? [places.supplier(supplierId)] : []),
    ...[...loginNames(value), ...(stored ? loginNames(stored) : [])].map(places.login),
  ];
}

/** Plans a user, its login names and its account; what the entry does not name stays, and null removes it. */
export function planUser(
  { path, tenant, value }: EntryOf<'user'>,
  state: DirectoryState,
  passwordHash: string | undefined,
): Plan | Refusal {
  const places = placesIn(tenant);
  const stored = state.get(places.user(value.user_id));
  const username = after(value.username, stored?.username);
  const names = loginNames({ email: value.email, username });
  const isOthers = (name: string) => {
    const owner = state.get(places.login(name))?.user_id;
    return owner !== undefined && owner !== value.user_id;
  };
  const taken = names.filter(isOthers);
  const property = (name: string) => (name === value.email.toLowerCase() ? 'email' : 'username');
  const supplierId = after(value.supplier_id, stored?.supplier_id);
  const supplier = supplierId && places.supplier(supplierId);
  const supplierCompany = supplier && state.get(supplier)?.company_id;
  // A company that does not exist is a fault of its own.
  const isForeign = supplierCompany !== value.company_id && state.get(places.company(value.company_id));
  const linking = `${path}.${value.supplier_id ? 'supplier_id' : 'company_id'}`;
  const companies = `belongs to company ${supplierCompany}, and the user to company ${value.company_id}`;
  const faults = [
    ...taken.map((name) => `${path}.${property(name)}: is the login name of another user`),
    ...(supplierCompany && isForeign ? [`${linking}: supplier ${supplierId} ${companies}`] : []),
  ];
  if (faults.length > 0) return { faults };

  const expiresAt = value.expires_at ? endOf(value.expires_at) : after(value.expires_at, stored?.expires_at);
  const since = stored?.stopped_at;
  const reference = {
    user_id: value.user_id,
    company_id: value.company_id,
    ...(supplierId && { supplier_id: supplierId }),
  };
  const user: DirectoryRecord<'user'> = {
    ...reference,
    email: value.email,
    ...(username && { username }),
    permissions: [...value.permissions],
    active: value.active && since === undefined,
    ...(since && { stopped_at: since }),
    license_active: value.license_active,
    ...(expiresAt && { expires_at: expiresAt }),
    ...(stored?.tokens_from && { tokens_from: stored.tokens_from }),
  };
  const pointerOf = (name: string) => ({
    ...reference,
    ...(name !== value.email.toLowerCase() && { username: true as const }),
  });
  const givenUp = (stored ? loginNames(stored) : []).filter((name) => !names.includes(name) && !isOthers(name));
  const { password_hash: storedHash, ...accountRest } = state.get(places.account(value.user_id)) ?? {};
  const hash = value.password === null ? undefined : (passwordHash ?? storedHash);
  const account = hash || storedHash ? { ...accountRest, ...(hash && { password_hash: hash }) } : null;
  const endsSessions = stored !== null && (hash !== storedHash || (stored.active && !user.active));
  const plan = planUserRecords(
    state,
    tenant,
    { user, account, endsSessions },
    ...names.map((name) => state.changeTo(places.login(name), pointerOf(name))),
    ...givenUp.map((name) => state.changeTo(places.login(name), null)),
    // A supplier that has gone to another company meanwhile must not be linked.
    ...(supplierCompany ? [{ place: supplier, before: { company_id: supplierCompany } }] : []),
  );
  return { ...plan, ...leftAlone('user', value.active, since) };
}

/** What becomes of an optional property: what is not named stays as it is stored, and null removes it. */
function after(named: string | null | undefined, stored: string | undefined): string | undefined {
  return named === undefined ? stored : (named ?? undefined);
}
