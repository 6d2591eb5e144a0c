import { expect, it } from 'vitest';
import { findPasswordError } from '../../../infra/ops/directory/password-rules.ts';

const LENGTH = 'must have 8 to 128 characters';
const EASY = 'is easy to guess: use four unrelated words, or 12 random characters';
const NAMED = 'must not contain the e-mail, user name, tenant or company of its user';
const UNICODE = 'is not well-formed Unicode (UTF-8)';

const ownNames = { email: 'Ana.Núñez@correo.example', username: 'anunez' };
const user = { user_id: '300', company_id: '40172', ...ownNames, permissions: [], active: true, license_active: true };
const company = { company_id: user.company_id, name: 'Grúas del Río', status: 'ACTIVE' } as const;
const findError = (password: string) => findPasswordError(password, 'surnorte.example', user, company);

it.each([
  ['has 8 characters', 'x7-Kq.2z'],
  ['has 128 characters of two UTF-16 units each', '🦊🐻🐼🐨🐯🦁🐮🐷'.repeat(16)],
  ['has accents', 'Ñandú-y-carancho'],
  ['has 128 characters, of which 8 are decomposed', `${'ñ'.repeat(8)}${'x7-Kq.2z'.repeat(15)}`.normalize('NFD')],
  ['only begins with a common password', 'password of mine'],
  ['is a passphrase that only lists of breaches contain', 'correcthorsebatterystaple'],
  ['has a season among other words', 'verano-tranvía-lápiz-queso'],
  ['has one word of the company name among other words', 'grúas-tranvía-lápiz-queso'],
])('a password is accepted if it %s', async (_what, password) => {
  expect(await findError(password)).toBeNull();
});

it.each([
  ['has 7 characters of two UTF-16 units each', '🦊🐻🐼🐨🐯🦁🐮', LENGTH],
  ['has 129 characters', 'x'.repeat(129), LENGTH],
  ['contains half a surrogate pair', 'x7-Kq.2z\ud83d', UNICODE],
  ['contains the replacement character for bytes that are not UTF-8', 'contrase\ufffda-7', UNICODE],
  ['is common', 'password', EASY],
  ['is common, with symbols in place of letters', 'P4$$w0rd', EASY],
  ['is a common password with a year', 'Password-2026!', EASY],
  ['repeats one emoji', '🦊'.repeat(12), EASY],
  ['is a row of the keyboard', 'qwertyuiop12', EASY],
  ['is a season with a year', 'Verano2026', EASY],
  ['is a season with a digit in place of a letter', 'V3rano2026!', EASY],
  ['is a country in full-width letters', 'Ａｒｇｅｎｔｉｎａ2026', EASY],
  ['is the password of the demo', 'Demo-2026!', EASY],
  ['contains the e-mail', 'ana.núñez@correo.example7', NAMED],
  ['contains the part of the e-mail before the @', 'xK-ana-nunez-77', NAMED],
  ['contains the user name', 'q8-ANUNEZ-z3', NAMED],
  ['contains the name of the tenant', 'Surnorte-x8Kq', NAMED],
  ['contains the number of the company', 'x8Kq-40172-w', NAMED],
  ['contains the company name with points between the letters', 'g.r.u.a.s del rio', NAMED],
  ['is a short word of the company name with digits', 'rio-12345', EASY],
])('a password is rejected if it %s', async (_what, password, error) => {
  expect(await findError(password)).toBe(error);
});

it('a password is compared with the remaining names if the user has no user name and no company', async () => {
  const { username: _, ...nameless } = user;
  const findErrorWithoutNames = (password: string) => findPasswordError(password, 'a.example', nameless, null);
  const errors = await Promise.all(['x7-Kq.2z', 'x8Kq-40172-w', 'x7-Kq.a.example'].map(findErrorWithoutNames));
  expect(errors).toEqual([null, NAMED, NAMED]);
});
