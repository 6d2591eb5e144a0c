import { createPublicKey } from 'node:crypto';
import { base64url, exportJWK, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateSigningKey, publicPartOf } from '../../../lib/auth/key-pairs.ts';
import type { SigningKey } from '../../../lib/auth/tokens.ts';
import type { Answer } from '../../support/answers/answer.ts';
import { headersOf } from '../../support/service/handlers.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import type { Account } from '../../support/data/seed.ts';
import { parties, seedSigningKey, tokenFor } from '../../support/service/tokens.ts';

const portal = usePortal();
let account: Account;
let genuine: string;
beforeAll(async () => {
  ({ account } = await portal.newCaller());
  genuine = await tokenFor(account.reference, portal.signingKey);
});
afterEach(() => void vi.useRealTimers());

/** Calls with a token; NOT_FOUND of an invoice that does not exist means that it was accepted. */
function callWith(authorization: string | undefined): Promise<Answer> {
  const headers = { ...headersOf(account, ''), authorization };
  return portal.invoke('get-invoice', { headers, path: '/apidev/v1/supplier-portal/invoices/4711' });
}

function claims(): JWTPayload {
  const issuedAt = Math.floor(Date.now() / 1000);
  const { tenant, userId, companyId, supplierId } = account.reference;
  return {
    tenant,
    company_id: companyId,
    supplier_id: supplierId,
    sub: userId,
    iss: parties.issuer,
    aud: parties.audience,
    iat: issuedAt,
    exp: issuedAt + 3600,
    jti: 'id',
  };
}

async function sign(payload: JWTPayload, { kid, privateJwk }: SigningKey, header: object = {}): Promise<string> {
  const key = await importJWK(privateJwk, 'ES256');
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT', ...header }).sign(key);
}

function hmacWith(secret: string): Promise<string> {
  const header = { alg: 'HS256', kid: portal.signingKey.kid, typ: 'JWT' };
  return new SignJWT(claims()).setProtectedHeader(header).sign(new TextEncoder().encode(secret));
}

function replaced(part: 0 | 1 | 2, change: (text: string) => string): string {
  return genuine
    .split('.')
    .map((text, index) => (index === part ? change(text) : text))
    .join('.');
}

const edited = (text: string, edit: object) =>
  base64url.encode(JSON.stringify({ ...JSON.parse(Buffer.from(text, 'base64url').toString()), ...edit }));

const attacks: Record<string, () => string | undefined | Promise<string | undefined>> = {
  'no token at all': () => undefined,
  'algorithm none': () => `Bearer ${new UnsecuredJWT(claims()).encode()}`,
  'algorithm none on a genuine payload and signature': () =>
    `Bearer ${replaced(0, (header) => edited(header, { alg: 'none' }))}`,
  'HS256 with the public key as PEM': async () => {
    const key = createPublicKey({ key: { ...publicPartOf(portal.signingKey) }, format: 'jwk' });
    return `Bearer ${await hmacWith(key.export({ type: 'spki', format: 'pem' }).toString())}`;
  },
  'a key that was never published': async () => {
    const { privateKey } = await generateSigningKey('unknown');
    return `Bearer ${await sign(claims(), privateKey)}`;
  },
  'a key of its own under the published key id': async () => {
    const { privateKey } = await generateSigningKey(portal.signingKey.kid);
    return `Bearer ${await sign(claims(), privateKey)}`;
  },
  'a key of its own in the header': async () => {
    const { publicKey, privateKey } = await generateSigningKey('mine');
    return `Bearer ${await sign(claims(), privateKey, { jwk: await exportJWK(await importJWK(publicKey, 'ES256')) })}`;
  },
  'no key id': async () => `Bearer ${await sign(claims(), portal.signingKey, { kid: undefined })}`,
  'another type': async () => `Bearer ${await sign(claims(), portal.signingKey, { typ: 'at+jwt' })}`,
  'a tampered payload': () => `Bearer ${replaced(1, (payload) => edited(payload, { sub: '1' }))}`,
  'a tampered signature': () =>
    `Bearer ${replaced(2, (signature) => (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1))}`,
  'no signature': () => `Bearer ${replaced(2, () => '')}`,
  'a token of another tenant': async () => {
    const stranger = await portal.newCaller();
    return `Bearer ${await tokenFor(stranger.account.reference, portal.signingKey)}`;
  },
};

describe('a token', () => {
  it('that is genuine passes, whatever the case of "Bearer"', async () => {
    expect((await callWith(`Bearer ${genuine}`)).status).toBe(404);
    expect((await callWith(`bearer ${await sign(claims(), portal.signingKey)}`)).status).toBe(404);
  });

  it.each(Object.keys(attacks))('is UNAUTHORIZED: %s [codes/UNAUTHORIZED/token]', async (name) => {
    const { status, body } = await callWith(await attacks[name]?.());
    expect(status).toBe(401);
    expect(body.error).toEqual({ code: 'UNAUTHORIZED', message: 'The access token is missing or invalid.' });
  });

  it('lives for one hour; then it is TOKEN_EXPIRED, with the message to log in anew [auth/rule-1/expired] [codes/TOKEN_EXPIRED/lifetime] [limits/token-lifetime]', async () => {
    const issuedAt = Date.parse('2026-05-01T10:00:00.000Z');
    vi.useFakeTimers({ toFake: ['Date'], now: issuedAt });
    const authorization = `Bearer ${await tokenFor(account.reference, portal.signingKey, new Date(issuedAt))}`;
    vi.setSystemTime(issuedAt + 3_599_999);
    expect((await callWith(authorization)).status).toBe(404);
    vi.setSystemTime(issuedAt + 3_600_000);
    const { status, body } = await callWith(authorization);
    expect(status).toBe(401);
    expect(body.error).toEqual({
      code: 'TOKEN_EXPIRED',
      message: 'the token has expired and a new login is needed',
    });
  });

  it('that is expired but not genuine, or of another tenant, is UNAUTHORIZED and not TOKEN_EXPIRED [codes/TOKEN_EXPIRED/lifetime] [codes/UNAUTHORIZED/tenant-mismatch]', async () => {
    const { privateKey } = await generateSigningKey(portal.signingKey.kid);
    const past = { ...claims(), exp: Math.floor(Date.now() / 1000) - 1 };
    const stranger = { ...past, tenant: 'other.example' };
    for (const token of [await sign(past, privateKey), await sign(stranger, portal.signingKey)]) {
      expect((await callWith(`Bearer ${token}`)).body.error?.code).toBe('UNAUTHORIZED');
    }
    const own = await sign(past, portal.signingKey);
    expect((await callWith(`Bearer ${own}`)).body.error?.code).toBe('TOKEN_EXPIRED');
  });

  it('of a key that was published after the process began is accepted', async () => {
    const later = await seedSigningKey(portal.engine);
    // An unknown key id makes the process read the keys again, though not more than once a second.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_001 });
    expect((await callWith(`Bearer ${await sign(claims(), later)}`)).status).toBe(404);
  });
});
