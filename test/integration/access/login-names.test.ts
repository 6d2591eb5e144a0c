import { describe, expect, it } from 'vitest';
import { type Account, newId, seedAccount } from '../../support/data/seed.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
useDate(Date.parse('2026-05-01T10:00:00.000Z'));

const USERNAME = 'integración';

interface Guesses {
  readonly account: Account;
  /** Guesses by this name; gives all that the answer says, without the id of its request. */
  readonly by: Readonly<Record<'login' | 'login with the key' | 'legacy call', (name: string) => Promise<string>>>;
}

type Route = keyof Guesses['by'];

async function newGuesses(): Promise<Guesses> {
  const account = await seedAccount(portal.engine, { user: { username: USERNAME } });
  const shown = ({ status, headers, body }: { status: number; headers: object; body: object }) =>
    JSON.stringify([status, { ...headers, 'X-Request-Id': '' }, body]);
  const logIn = async (email: string, apiKey?: string) => {
    const headers = { tenant: account.scope.tenant, 'x-api-key': apiKey };
    return shown(await portal.invoke('login', { headers, body: { email, password: 'wrong' }, sourceIp: newId() }));
  };
  const call = async (Usuario: string) => {
    const legacy = legacyCallsOf(portal.invoke, account);
    return shown(await legacy('WSObtenerFactura', {}, { authorization: { Usuario, Password: 'wrong' } }));
  };
  const by = {
    login: (name: string) => logIn(name),
    'login with the key': (name: string) => logIn(name, account.apiKey),
    'legacy call': call,
  };
  return { account, by };
}

/** A name that is guessed at, and another one, which belongs to the same account where there is one. */
const kinds: Readonly<Record<string, (account: Account) => readonly [guessed: string, other: string]>> = {
  'an e-mail': ({ email }) => [email, USERNAME],
  'a username': ({ email }) => [USERNAME, email],
  'a username in another Unicode form': ({ email }) => [USERNAME.normalize('NFD'), email],
  'a name that nobody has': () => ['nobody@supplier.example', 'nobody else'],
};

const ROUTES = ['login', 'login with the key', 'legacy call'] as const satisfies readonly Route[];

/** What guesses by both names are answered on all routes, once the failures of one name are used up on one route. */
async function answersAfter(route: Route, kind: string): Promise<Record<string, string>> {
  const { account, by } = await newGuesses();
  const [guessed, other] = kinds[kind]!(account);
  const spent = await Promise.all(
    Array.from({ length: 20 }, (_, guess) => by[route](guess % 2 === 0 ? guessed : guessed.toUpperCase())),
  );
  expect(spent.filter((answer) => answer.includes('UNAUTHORIZED'))).toHaveLength(20);
  const answers: Record<string, string> = {};
  for (const asked of ROUTES) {
    answers[`${asked}, the same name`] = await by[asked](guessed);
    answers[`${asked}, the other name`] = await by[asked](other);
  }
  return answers;
}

describe('guesses by a name', () => {
  it.each(ROUTES)(
    'after 20 by %s are answered on every route alike, whoever has the name, or nobody',
    async (route) => {
      const unknown = await answersAfter(route, 'a name that nobody has');
      const refused = Object.entries(unknown).flatMap(([asked, answer]) =>
        answer.includes('RATE_LIMITED') ? [asked] : [],
      );
      // Those with a key share a budget on both routes, and those without one have another.
      const alike = route === 'login' ? ['login'] : ['login with the key', 'legacy call'];
      expect(refused).toEqual(alike.map((asked) => `${asked}, the same name`));
      // Which kind of name it is, is found out in the same way on every route.
      for (const kind of route === 'login' ? Object.keys(kinds) : ['a username'])
        expect(await answersAfter(route, kind)).toEqual(unknown);
    },
  );

  it('open nothing to a login by username, with the right password neither', async () => {
    const { account } = await newGuesses();
    const headers = { tenant: account.scope.tenant };
    const logIn = async (email: string) =>
      (await portal.invoke('login', { headers, body: { email, password: account.password }, sourceIp: newId() }))
        .status;
    expect([await logIn(USERNAME), await logIn(account.email.toUpperCase())]).toEqual([401, 200]);
  });
});
