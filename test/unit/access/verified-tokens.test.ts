import { type CryptoKey, importJWK, jwtVerify, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { generateSigningKey, createVerificationCache } from '../../../lib/access/tokens.ts';

const NOW_S = 1_782_900_000;
const [pair, other] = await Promise.all([generateSigningKey('key'), generateSigningKey('key')]);
const publicKey = (await importJWK(pair.publicKey, 'ES256')) as CryptoKey;
const otherKey = (await importJWK(other.publicKey, 'ES256')) as CryptoKey;
const signingKey = await importJWK(pair.privateKey.privateJwk, 'ES256');
const tokenWith = (claims: object) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'key' }).sign(signingKey);
const token = await tokenWith({ sub: '7', exp: NOW_S + 3600 });

const altered = (text: string) => text.slice(0, 5) + (text[5] === 'A' ? 'B' : 'A') + text.slice(6);

let published: CryptoKey | undefined;
let checks: string[];
let claimsAfter: (seconds: number, token?: string) => Promise<unknown>;
beforeEach(() => {
  published = publicKey;
  checks = [];
  const findKey = async () => {
    if (published === undefined) throw new Error('withdrawn');
    return published;
  };
  const claimsOf = createVerificationCache((checked, currentDate) => {
    checks.push(checked);
    return jwtVerify(checked, findKey, { currentDate });
  }, findKey);
  claimsAfter = (seconds, text = token) => claimsOf(text, new Date((NOW_S + seconds) * 1000));
});

describe('a verified token', () => {
  it('is checked once, says the same each time, and is refused from the moment on in which it expires [auth/rule-1/expired]', async () => {
    const said = { sub: '7', exp: NOW_S + 3600 };
    expect([await claimsAfter(0), await claimsAfter(1), await claimsAfter(3599.999)]).toEqual([said, said, said]);
    expect(checks).toEqual([token]);
    await expect(claimsAfter(3600)).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
  });

  it('is refused before its time, also when a clock was set back after it was valid', async () => {
    const later = await tokenWith({ nbf: NOW_S + 100, exp: NOW_S + 3600 });
    await claimsAfter(100, later);
    await expect(claimsAfter(99, later)).rejects.toMatchObject({ claim: 'nbf' });
    await claimsAfter(100, later);
  });

  it.each([
    ['is withdrawn, and known no more than before when it is published again', undefined, 'withdrawn', 1],
    ['was replaced by another under the same id', otherKey, 'signature verification failed', 2],
  ])('is refused as soon as its key %s [codes/UNAUTHORIZED/token]', async (_, later, refusal, times) => {
    await claimsAfter(0);
    published = later;
    await expect(claimsAfter(1)).rejects.toThrow(refusal);
    published = publicKey;
    await claimsAfter(2);
    expect(checks).toEqual(Array<string>(times).fill(token));
  });

  it.each([0, 1, 2])(
    'does not vouch for a token that differs from it in part %d [codes/UNAUTHORIZED/token]',
    async (part) => {
      await claimsAfter(0);
      const forged = token.split('.').map((text, index) => (index === part ? altered(text) : text));
      await expect(claimsAfter(1, forged.join('.'))).rejects.toThrow();
      expect(checks).toEqual([token, forged.join('.')]);
    },
  );
});
