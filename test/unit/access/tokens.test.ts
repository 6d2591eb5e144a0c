import { createPublicKey } from 'node:crypto';
import {
  base64url,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWTHeaderParameters,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { generateSigningKey, signToken, toPublicKey } from '../../../lib/access/sign-token.ts';
import { createPublicKeyCache, createTokenVerifier, type FindKey } from '../../../lib/access/tokens.ts';
import { proves } from '../../rules/proves.ts';

const NOW = new Date('2026-07-01T10:00:00.700Z');
const ISSUED_AT = Math.floor(NOW.getTime() / 1000);
const parties = { issuer: 'issuer.example', audience: 'audience.example' };
const identity = { tenant: 'demo.example', userId: '77', companyId: '5', supplierId: '9' };
const user = { ...identity, permissions: ['APICLI_PORTALPROVEEDOR_READ'], tokensNotBeforeMs: 1_790_000_000_001 };
const { publicKey, privateKey } = await generateSigningKey('key-1');
const another = await generateSigningKey('key-1');
const session = { tokensNotBeforeMs: user.tokensNotBeforeMs };
const expectedResult = { identity, session };
const findKey = createPublicKeyCache(async () => [publicKey]);
const verifyToken = createTokenVerifier(findKey, parties);
const token = await signToken(user, privateKey, parties, { now: NOW, tokenId: 'token-1' });

const verifyAfter = (seconds: number, tenant = 'demo.example', bearer = `Bearer ${token}`) =>
  verifyToken(bearer, tenant, new Date((ISSUED_AT + seconds) * 1000));

it('a public key contains only the public part of its key pair', () => {
  const { x, y } = privateKey.privateJwk;
  expect(publicKey).toEqual({ kid: 'key-1', alg: 'ES256', use: 'sig', kty: 'EC', crv: 'P-256', x, y });
  expect(privateKey.privateJwk.d).toEqual(expect.any(String));
  expect(toPublicKey(privateKey)).toEqual(publicKey);
});

describe('an access token', () => {
  it('signToken returns an ES256 token with key id, user, permissions, parties, token id and an expiry after one hour', () => {
    proves('auth/flow-2', 'limits/token-lifetime');
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: 'key-1', typ: 'JWT' });
    expect(decodeJwt(token)).toEqual({
      ...{ sub: '77', tenant: 'demo.example', company_id: '5', supplier_id: '9' },
      ...{ permissions: user.permissions, tokens_not_before: user.tokensNotBeforeMs },
      ...{ iss: 'issuer.example', aud: 'audience.example' },
      ...{ iat: ISSUED_AT, exp: ISSUED_AT + 3600, jti: 'token-1' },
    });
  });

  it('tokenVerifier returns the user and the time of issue, also before that time, for the scheme in any case', async () => {
    expect([await verifyAfter(0), await verifyAfter(-1)]).toEqual([expectedResult, expectedResult]);
    expect(await verifyAfter(0, 'demo.example', `bearer ${token}`)).toEqual(expectedResult);
  });

  it.each([null, 9])(
    'accepts a token without a supplier if its supplier_id is not a string: %j',
    async (supplierId) => {
      const signed = await signChanged({ claims: { supplier_id: supplierId } });
      const withoutSupplier = { session, identity: { ...identity, supplierId: null } };
      expect(await verifyAfter(0, 'demo.example', `Bearer ${signed}`)).toEqual(withoutSupplier);
    },
  );

  it('accepts a token for one hour, and rejects it with TOKEN_EXPIRED from then on', async () => {
    proves('auth/rule-1/expired', 'codes/TOKEN_EXPIRED/lifetime', 'limits/token-lifetime');
    expect(await verifyAfter(3599)).toEqual(expectedResult);
    const message = 'the token has expired and a new login is needed';
    await expect(verifyAfter(3600)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED', message });
  });

  it('rejects a token of another tenant with UNAUTHORIZED, expired or not', async () => {
    proves('codes/UNAUTHORIZED/tenant-mismatch');
    for (const seconds of [0, 3600])
      await expect(verifyAfter(seconds, 'other.example')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

/** Signs the claims and the header of `token` with some of their fields added or replaced. */
async function signChanged(
  { claims = {}, header = {} }: { claims?: object; header?: object },
  jwk = privateKey.privateJwk,
) {
  const key = await importJWK(jwk, 'ES256');
  const protectedHeader = { ...decodeProtectedHeader(token), ...header } as JWTHeaderParameters;
  return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(protectedHeader).sign(key);
}

describe('a token with a valid signature', () => {
  const otherClaims = [
    ...['sub', 'iss', 'aud', 'iat', 'exp', 'jti', 'tenant', 'company_id'].map((name) => ({ [name]: undefined })),
    ...[{ sub: 77 }, { company_id: 5 }, { iss: 'me' }, { aud: 'you' }],
  ].map((claims) => ({ claims }));
  const otherHeaders = [{ kid: undefined }, { kid: 'unknown' }, { typ: 'at+jwt' }].map((header) => ({ header }));

  it.each([...otherClaims, ...otherHeaders])(
    'rejects a token with a valid signature and the change %o with UNAUTHORIZED',
    async (change) => {
      proves('codes/UNAUTHORIZED/token');
      const signed = await signChanged(change);
      await expect(verifyAfter(0, 'demo.example', `Bearer ${signed}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    },
  );
});

describe('a forged token', () => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const editPart = (part: string, edit: object) =>
    base64url.encode(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...edit }));
  const pem = createPublicKey({ key: { ...publicKey }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });

  it.each<[string, () => string | Promise<string>]>([
    ['with the algorithm none', () => new UnsecuredJWT(decodeJwt(token)).encode()],
    [
      'with the algorithm none and a valid signature',
      () => [editPart(header, { alg: 'none' }), payload, signature].join('.'),
    ],
    [
      'signed with HS256 and the public key as secret',
      () =>
        new SignJWT(decodeJwt(token))
          .setProtectedHeader({ alg: 'HS256', kid: 'key-1', typ: 'JWT' })
          .sign(new TextEncoder().encode(pem.toString())),
    ],
    ['signed with another key under the same key id', () => signChanged({}, another.privateKey.privateJwk)],
    [
      'signed with another key that is in its header',
      () => signChanged({ header: { jwk: another.publicKey } }, another.privateKey.privateJwk),
    ],
    ['with another payload', () => [header, editPart(payload, { sub: '1' }), signature].join('.')],
    [
      'with another signature',
      () => [header, payload, (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1)].join('.'),
    ],
    ['without a signature', () => [header, payload, ''].join('.')],
  ])('rejects a token %s with UNAUTHORIZED, also after its expiry', async (_, forge) => {
    proves('codes/UNAUTHORIZED/token', 'codes/TOKEN_EXPIRED/lifetime');
    const bearer = `Bearer ${await forge()}`;
    const expected = { code: 'UNAUTHORIZED', message: 'The access token is missing or invalid.' };
    for (const seconds of [0, 3600])
      await expect(verifyAfter(seconds, 'demo.example', bearer)).rejects.toMatchObject(expected);
  });
});

describe('a verified token', () => {
  /** Creates a verifier that uses this function to find keys, and counts the checks of signatures. */
  function createCountingVerifier(find: FindKey) {
    const checkSignature = vi.spyOn(crypto.subtle, 'verify');
    checkSignature.mockClear();
    const verify = createTokenVerifier(find, parties);
    return {
      verifyAfter: (seconds: number) =>
        verify(`Bearer ${token}`, 'demo.example', new Date((ISSUED_AT + seconds) * 1000)),
      countChecks: () => checkSignature.mock.calls.length,
    };
  }

  it('the signature of a token is checked once, and the token is still rejected from its expiry on', async () => {
    proves('auth/rule-1/expired');
    const { verifyAfter: verifyOnce, countChecks } = createCountingVerifier(findKey);
    for (const seconds of [0, 1, 3599.999]) expect(await verifyOnce(seconds)).toEqual(expectedResult);
    expect(countChecks()).toBe(1);
    await expect(verifyOnce(3600)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  it.each([
    ['withdrawn', async () => [], 1],
    ['replaced by another key with the same id', async () => [another.publicKey], 2],
  ])('a token is rejected as soon as its key is %s', async (_, readOtherKeys, checkCount) => {
    proves('codes/UNAUTHORIZED/token');
    let find = findKey;
    const { verifyAfter: verifyOnce, countChecks } = createCountingVerifier((header) => find(header));
    await verifyOnce(0);
    find = createPublicKeyCache(readOtherKeys);
    await expect(verifyOnce(1)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    find = findKey;
    expect(await verifyOnce(2)).toEqual(expectedResult);
    expect(countChecks()).toBe(checkCount);
  });
});

describe('an Authorization header', () => {
  // T is replaced with the token, so that the titles are the same in each run.
  it.each([
    ...['Basic T', 'T', 'BearerT', 'Token T', undefined, '', 'Bearer', 'Bearer ', 'Bearer x.y'],
    ...['Bearer ..', 'Bearer a.b.c', 'Basic Bearer T', 'Bearer T T'],
  ])('rejects an Authorization header that is not Bearer and a valid token with UNAUTHORIZED: %j', async (header) => {
    proves('codes/UNAUTHORIZED/token', 'common/authorization', 'headers/Authorization');
    await expect(verifyToken(header?.replaceAll('T', token), 'demo.example', NOW)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'The access token is missing or invalid.',
    });
  });

  it('keeps the cause of a rejected token for the log, and rethrows an error of the read of the keys', async () => {
    const cause = { code: 'ERR_JWS_INVALID' };
    await expect(verifyToken('Bearer a.b.c', 'demo.example', NOW)).rejects.toMatchObject({ cause });
    const failing = () => Promise.reject(new Error('no table'));
    await expect(createTokenVerifier(failing, parties)(`Bearer ${token}`, 'demo.example', NOW)).rejects.toThrow(
      'no table',
    );
  });
});
