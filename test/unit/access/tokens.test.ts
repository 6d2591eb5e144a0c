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
import { describe, expect, it } from 'vitest';
import {
  createPublicKeyCache,
  generateSigningKey,
  toPublicKey,
  signToken,
  createTokenVerifier,
} from '../../../lib/access/tokens.ts';

const NOW = new Date('2026-07-01T10:00:00.700Z');
const ISSUED_AT = Math.floor(NOW.getTime() / 1000);
const parties = { issuer: 'issuer.example', audience: 'audience.example' };
const identity = { tenant: 'demo.example', userId: '77', companyId: '5', supplierId: '9' };
const user = { ...identity, permissions: ['APICLI_PORTALPROVEEDOR_READ'], tokensNotBeforeMs: 1_790_000_000_001 };
const { publicKey, privateKey } = await generateSigningKey('key-1');
const another = await generateSigningKey('key-1');
const session = { issuedAtSeconds: ISSUED_AT, tokensNotBeforeMs: user.tokensNotBeforeMs };
const verified = { identity, session };
const keys = createPublicKeyCache(async () => [publicKey], { now: () => NOW });
const verifyToken = createTokenVerifier(keys, parties);
const token = await signToken(user, privateKey, parties, { now: NOW, tokenId: 'token-1' });

const verifyAfter = (seconds: number, tenant = 'demo.example', bearer = `Bearer ${token}`) =>
  verifyToken(bearer, tenant, new Date((ISSUED_AT + seconds) * 1000));

it('a key pair publishes nothing of the private key but its public part', () => {
  const { x, y } = privateKey.privateJwk;
  expect(publicKey).toEqual({ kid: 'key-1', alg: 'ES256', use: 'sig', kty: 'EC', crv: 'P-256', x, y });
  expect(privateKey.privateJwk.d).toEqual(expect.any(String));
  expect(toPublicKey(privateKey)).toEqual(publicKey);
});

describe('an access token', () => {
  it('is signed with ES256, names its key, and carries the user with its permissions, issuer, audience, its own id, and an end one hour after its issue [auth/flow-2] [limits/token-lifetime]', () => {
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: 'key-1', typ: 'JWT' });
    expect(decodeJwt(token)).toEqual({
      ...{ sub: '77', tenant: 'demo.example', company_id: '5', supplier_id: '9' },
      ...{ permissions: user.permissions, tokens_not_before: user.tokensNotBeforeMs },
      ...{ iss: 'issuer.example', aud: 'audience.example' },
      ...{ iat: ISSUED_AT, exp: ISSUED_AT + 3600, jti: 'token-1' },
    });
  });

  it('gives back the user that it was issued to, and when, also before that; the scheme may be in any case', async () => {
    expect([await verifyAfter(0), await verifyAfter(-1)]).toEqual([verified, verified]);
    expect(await verifyAfter(0, 'demo.example', `bearer ${token}`)).toEqual(verified);
  });

  it('may belong to a user without a supplier', async () => {
    const loner = { ...user, supplierId: null };
    const ofLoner = await signToken(loner, privateKey, parties, { now: NOW, tokenId: 'token-2' });
    expect(await verifyAfter(0, loner.tenant, `Bearer ${ofLoner}`)).toEqual({
      session,
      identity: { ...identity, supplierId: null },
    });
  });

  it('is valid for an hour, and TOKEN_EXPIRED from then on [auth/rule-1/expired] [codes/TOKEN_EXPIRED/lifetime] [limits/token-lifetime]', async () => {
    expect(await verifyAfter(3599)).toEqual(verified);
    const message = 'the token has expired and a new login is needed';
    await expect(verifyAfter(3600)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED', message });
  });

  it('of another tenant is UNAUTHORIZED, whether it has expired or not [codes/UNAUTHORIZED/tenant-mismatch]', async () => {
    for (const seconds of [0, 3600])
      await expect(verifyAfter(seconds, 'other.example')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

/** What a token says whose claims or header have these fields beside, or in the place of, its own. */
async function signedWith(
  { claims = {}, header = {} }: { claims?: object; header?: object },
  jwk = privateKey.privateJwk,
) {
  const key = await importJWK(jwk, 'ES256');
  const said = { ...decodeProtectedHeader(token), ...header } as JWTHeaderParameters;
  return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(said).sign(key);
}

describe('a token that our key has signed', () => {
  const otherClaims = [
    ...['sub', 'iss', 'aud', 'iat', 'exp', 'jti', 'tenant', 'company_id'].map((name) => ({ [name]: undefined })),
    ...[{ sub: 77 }, { company_id: 5 }, { iss: 'me' }, { aud: 'you' }],
  ].map((claims) => ({ claims }));
  const otherHeaders = [{ kid: undefined }, { kid: 'unknown' }, { typ: 'at+jwt' }].map((header) => ({ header }));

  it.each([...otherClaims, ...otherHeaders])('with %o is UNAUTHORIZED [codes/UNAUTHORIZED/token]', async (changed) => {
    const signed = await signedWith(changed);
    await expect(verifyAfter(0, 'demo.example', `Bearer ${signed}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is valid without the claims permissions and tokens_not_before, as tokens of earlier versions are', async () => {
    const signed = await signedWith({ claims: { permissions: undefined, tokens_not_before: undefined } });
    const ofEarlierVersion = { issuedAtSeconds: ISSUED_AT, tokensNotBeforeMs: undefined };
    expect(await verifyAfter(0, 'demo.example', `Bearer ${signed}`)).toEqual({ identity, session: ofEarlierVersion });
  });
});

describe('a forged token', () => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const edited = (part: string, edit: object) =>
    base64url.encode(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...edit }));
  const pem = createPublicKey({ key: { ...publicKey }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });

  it.each<[string, () => string | Promise<string>]>([
    ['with the algorithm none', () => new UnsecuredJWT(decodeJwt(token)).encode()],
    ['with none over a genuine signature', () => [edited(header, { alg: 'none' }), payload, signature].join('.')],
    [
      'with HS256, and the public key as its secret',
      () =>
        new SignJWT(decodeJwt(token))
          .setProtectedHeader({ alg: 'HS256', kid: 'key-1', typ: 'JWT' })
          .sign(new TextEncoder().encode(pem.toString())),
    ],
    ['with a key of its own under our key id', () => signedWith({}, another.privateKey.privateJwk)],
    [
      'with a key of its own in the header',
      () => signedWith({ header: { jwk: another.publicKey } }, another.privateKey.privateJwk),
    ],
    ['with another payload', () => [header, edited(payload, { sub: '1' }), signature].join('.')],
    [
      'with another signature',
      () => [header, payload, (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1)].join('.'),
    ],
    ['without a signature', () => [header, payload, ''].join('.')],
  ])(
    '%s is UNAUTHORIZED, and not TOKEN_EXPIRED when its time is over [codes/UNAUTHORIZED/token] [codes/TOKEN_EXPIRED/lifetime]',
    async (_, forge) => {
      const bearer = `Bearer ${await forge()}`;
      const refusal = { code: 'UNAUTHORIZED', message: 'The access token is missing or invalid.' };
      for (const seconds of [0, 3600])
        await expect(verifyAfter(seconds, 'demo.example', bearer)).rejects.toMatchObject(refusal);
    },
  );
});

describe('an Authorization header', () => {
  // The title does not hold the token, which is another one in each run.
  it.each([
    ...['Basic T', 'T', 'BearerT', 'Token T', undefined, '', 'Bearer', 'Bearer ', 'Bearer x.y'],
    ...['Bearer ..', 'Bearer a.b.c', 'Basic Bearer T', 'Bearer T T'],
  ])(
    'is UNAUTHORIZED but for a genuine token after Bearer: %j [codes/UNAUTHORIZED/token] [common/authorization] [headers/Authorization]',
    async (header) => {
      await expect(verifyToken(header?.replaceAll('T', token), 'demo.example', NOW)).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        message: 'The access token is missing or invalid.',
      });
    },
  );

  it('that is refused for its token has the cause for the log; a failure to read the keys comes through', async () => {
    const cause = { code: 'ERR_JWS_INVALID' };
    await expect(verifyToken('Bearer a.b.c', 'demo.example', NOW)).rejects.toMatchObject({ cause });
    const failing = () => Promise.reject(new Error('no table'));
    await expect(createTokenVerifier(failing, parties)(`Bearer ${token}`, 'demo.example', NOW)).rejects.toThrow(
      'no table',
    );
  });
});
