import { describe, expect, it } from 'vitest';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
useDate(Date.parse('2026-05-01T10:00:00.000Z'));

const ROUTES = ['login', 'login with the key', 'legacy call'] as const;
type Route = (typeof ROUTES)[number];

/** What a guess by a name is answered on each route once 20 by it are used up on one, without the ids of requests. */
async function answersAfter(spent: Route, kind: 'e-mail' | 'username' | 'nobody'): Promise<Record<Route, string>> {
  const account = await seedAccount(portal.engine, { user: { username: 'integración' } });
  const name = { 'e-mail': account.email, username: 'integración'.normalize('NFD'), nobody: 'nobody at all' }[kind];
  const guess = async (route: Route, by = name) => {
    const headers = { tenant: account.scope.tenant, 'x-api-key': route === 'login' ? undefined : account.apiKey };
    const answer =
      route === 'legacy call'
        ? await legacyCallsOf(portal.invoke, account)(
            'WSObtenerFactura',
            {},
            { authorization: { Usuario: by, Password: 'wrong' } },
          )
        : await portal.invoke('login', { headers, body: { email: by, password: 'wrong' }, sourceIp: newId() });
    return JSON.stringify([answer.status, { ...answer.headers, 'X-Request-Id': '' }, answer.body]);
  };
  const guesses = Array.from({ length: 20 }, (_, at) => guess(spent, at % 2 === 0 ? name : name.toUpperCase()));
  expect((await Promise.all(guesses)).filter((answer) => answer.includes('UNAUTHORIZED'))).toHaveLength(20);
  return {
    login: await guess('login'),
    'login with the key': await guess('login with the key'),
    'legacy call': await guess('legacy call'),
  };
}

describe('guesses by a name', () => {
  it.each(ROUTES)(
    'after 20 by %s are answered on every route alike, whoever has the name, or nobody',
    async (route) => {
      const unknown = await answersAfter(route, 'nobody');
      // Those with a key share a budget on both routes, and those without one have another.
      const refused = ROUTES.filter((asked) => unknown[asked].includes('RATE_LIMITED'));
      expect(refused).toEqual(route === 'login' ? ['login'] : ['login with the key', 'legacy call']);
      // Which kind of name it is, is found out in the same way on every route.
      for (const kind of route === 'login' ? (['e-mail', 'username'] as const) : (['username'] as const))
        expect(await answersAfter(route, kind)).toEqual(unknown);
    },
  );
});
