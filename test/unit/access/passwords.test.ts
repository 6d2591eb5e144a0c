import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from '../../../lib/access/passwords.ts';

// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 iterations and 1 degree of parallelism.
const OWASP_PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;

// A test vector of the reference implementation (P-H-C/phc-winner-argon2): "password" with the salt "somesalt".
const REFERENCE = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

it("hashPassword returns an argon2id PHC string with OWASP's parameters, a 16-byte salt and a 32-byte tag", async () => {
  expect(await hashPassword('Demo-2026!')).toMatch(OWASP_PHC);
});

it('hashPassword returns a hash that matches only its own password, in any Unicode form, with another salt each time', async () => {
  const decomposed = 'contraseña 2026'.normalize('NFD');
  const hash = await hashPassword(decomposed);
  const passwords = [decomposed, 'contraseña 2026', 'contraseña 2027', ''];
  const results = passwords.map((password) => verifyPassword(password, hash));
  expect(await Promise.all(results)).toEqual([true, true, false, false]);
  expect(await hashPassword('contraseña 2026')).not.toBe(hash);
});

it('verifyPassword accepts a hash of another program with other parameters', async () => {
  expect(await verifyPassword('password', REFERENCE)).toBe(true);
  expect(await verifyPassword('Password', REFERENCE)).toBe(false);
});

it.each(['', 'secret', REFERENCE.replace('argon2id', 'argon2i'), REFERENCE.replace('v=19', 'v=16')])(
  'verifyPassword throws for a hash of an unknown kind: %j',
  async (hash) => {
    await expect(verifyPassword('password', hash)).rejects.toThrow('not an argon2id PHC string');
  },
);

it('verifyPassword returns false for a user without a password', async () => {
  expect([await verifyPassword('', null), await verifyPassword('anything', null)]).toEqual([false, false]);
});
