import { type CryptoKey, importJWK, jwtVerify, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { generateSigningKey } from '../../../lib/access/sign-token.ts';
import { createVerificationCache } from '../../../lib/access/tokens.ts';
import { proves } from '../../rules/proves.ts';

const NOW_S = 1_782_900_000;
const [pair, other] = await Promise.all([generateSigningKey('key'), generateSigningKey('key')]);
const publicKey = (await importJWK(pair.publicKey, 'ES256')) as CryptoKey;
const otherKey = (await importJWK(other.publicKey, 'ES256')) as CryptoKey;
const signingKey = await importJWK(pair.privateKey.privateJwk, 'ES256');
const signClaims = (claims: object) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'key' }).sign(signingKey);
const token = await signClaims({ sub: '7', exp: NOW_S + 3600 });

const alterText = (text: string) => text.slice(0, 5) + (text[5] === 'A' ? 'B' : 'A') + text.slice(6);

let publishedKey: CryptoKey | undefined;
let checks: string[];
let verifyAfter: (seconds: number, token?: string) => Promise<unknown>;
beforeEach(() => {
  publishedKey = publicKey;
  checks = [];
  const findKey = async () => {
    if (publishedKey === undefined) throw new Error('withdrawn');
    return publishedKey;
  };
  const verify = createVerificationCache((checked, currentDate) => {
    checks.push(checked);
    return jwtVerify(checked, findKey, { currentDate });
  }, findKey);
  verifyAfter = (seconds, text = token) => verify(text, new Date((NOW_S + seconds) * 1000));
});

describe('a verified token', () => {
  it('checks a token once, returns the same claims each time, and rejects it from its expiry on', async () => {
    proves('auth/rule-1/expired');
    const claims = { sub: '7', exp: NOW_S + 3600 };
    expect([await verifyAfter(0), await verifyAfter(1), await verifyAfter(3599.999)]).toEqual([claims, claims, claims]);
    expect(checks).toEqual([token]);
    await expect(verifyAfter(3600)).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
  });

  it('rejects a token before its nbf time, also if the clock is set back after the token was valid', async () => {
    const futureToken = await signClaims({ nbf: NOW_S + 100, exp: NOW_S + 3600 });
    await verifyAfter(100, futureToken);
    await expect(verifyAfter(99, futureToken)).rejects.toMatchObject({ claim: 'nbf' });
    await verifyAfter(100, futureToken);
  });

  it.each([
    ['is withdrawn, and does not check it again after the key is republished', undefined, 'withdrawn', 1],
    ['is replaced by another key with the same id', otherKey, 'signature verification failed', 2],
  ])('rejects a token as soon as its key %s', async (_, replacement, message, checkCount) => {
    proves('codes/UNAUTHORIZED/token');
    await verifyAfter(0);
    publishedKey = replacement;
    await expect(verifyAfter(1)).rejects.toThrow(message);
    publishedKey = publicKey;
    await verifyAfter(2);
    expect(checks).toEqual(Array<string>(checkCount).fill(token));
  });

  it.each([0, 1, 2])('checks and rejects a token that differs from a verified token in part %d', async (part) => {
    proves('codes/UNAUTHORIZED/token');
    await verifyAfter(0);
    const forged = token.split('.').map((text, index) => (index === part ? alterText(text) : text));
    await expect(verifyAfter(1, forged.join('.'))).rejects.toThrow();
    expect(checks).toEqual([token, forged.join('.')]);
  });
});
