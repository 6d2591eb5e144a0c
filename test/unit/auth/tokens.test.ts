import { type CryptoKey, decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { generateSigningKey } from '../../../lib/auth/key-pairs.ts';
import { signToken, TOKEN_LIFETIME_SECONDS, tokenVerifier } from '../../../lib/auth/tokens.ts';

const NOW = new Date('2026-07-01T10:00:00.700Z');
const ISSUED_AT = Math.floor(NOW.getTime() / 1000);
const parties = { issuer: 'issuer.example', audience: 'audience.example' };
const user = { tenant: 'demo.example', userId: '77', companyId: '5', supplierId: '9' };
const { publicKey, privateKey } = await generateSigningKey('key-1');
const verified = { ...user, issuedAtSeconds: ISSUED_AT };
const keys = () => importJWK(publicKey, 'ES256') as Promise<CryptoKey>;
const verifyToken = tokenVerifier(keys, parties);
const token = await signToken(user, privateKey, parties, { now: NOW, tokenId: 'token-1' });

const verifyAfter = (seconds: number, tenant = 'demo.example', bearer = `Bearer ${token}`) =>
  verifyToken(bearer, tenant, new Date((ISSUED_AT + seconds) * 1000));

describe('an access token', () => {
  it('is signed with ES256, names its key, and carries the user, issuer, audience, its own id, and an end one hour after its issue [auth/flow-2] [limits/token-lifetime]', () => {
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: 'key-1', typ: 'JWT' });
    expect(TOKEN_LIFETIME_SECONDS).toBe(3600);
    expect(decodeJwt(token)).toEqual({
      ...{ sub: '77', tenant: 'demo.example', company_id: '5', supplier_id: '9' },
      ...{ iss: 'issuer.example', aud: 'audience.example' },
      ...{ iat: ISSUED_AT, exp: ISSUED_AT + 3600, jti: 'token-1' },
    });
  });

  it('gives back the user that it was issued to, and when; also before that, when sessions have just ended', async () => {
    expect([await verifyAfter(0), await verifyAfter(-1)]).toEqual([verified, verified]);
  });

  it('may belong to a user without a supplier', async () => {
    const loner = { ...user, supplierId: null };
    const ofLoner = await signToken(loner, privateKey, parties, { now: NOW, tokenId: 'token-2' });
    expect(await verifyAfter(0, loner.tenant, `Bearer ${ofLoner}`)).toEqual({ ...verified, supplierId: null });
  });

  it('is valid for an hour, and TOKEN_EXPIRED from then on [auth/rule-1/expired] [limits/token-lifetime]', async () => {
    expect(await verifyAfter(3599)).toEqual(verified);
    const message = 'the token has expired and a new login is needed';
    await expect(verifyAfter(3600)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED', message });
  });

  it('of another tenant is UNAUTHORIZED, whether it has expired or not [codes/UNAUTHORIZED/tenant-mismatch]', async () => {
    for (const seconds of [0, 3600])
      await expect(verifyAfter(seconds, 'other.example')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a token that our key has signed with other claims', () => {
  /** What a token says that has these claims beside, or in the place of, its own. */
  async function verifyWith(claims: object) {
    const signed = await new SignJWT({ ...decodeJwt(token), ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ: 'JWT' })
      .sign(await importJWK(privateKey.privateJwk, 'ES256'));
    return verifyAfter(0, 'demo.example', `Bearer ${signed}`);
  }

  it.each([
    ...['sub', 'iss', 'aud', 'iat', 'exp', 'jti', 'tenant', 'company_id'].map((name) => ({ [name]: undefined })),
    ...[{ sub: 77 }, { company_id: 5 }, { iss: 'me' }, { aud: 'you' }],
  ])('is UNAUTHORIZED: %o [codes/UNAUTHORIZED/token]', async (claims) => {
    await expect(verifyWith(claims)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('has no supplier unless that is a text', async () => {
    expect(await verifyWith({ supplier_id: 9 })).toEqual({ ...verified, supplierId: null });
  });
});

describe('an Authorization header', () => {
  it('takes the scheme in any case', async () => {
    expect(await verifyAfter(0, 'demo.example', `bearer ${token}`)).toEqual(verified);
  });

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
    await expect(tokenVerifier(failing, parties)(`Bearer ${token}`, 'demo.example', NOW)).rejects.toThrow('no table');
  });
});
