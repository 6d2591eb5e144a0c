import { describe, expect, it } from 'vitest';
import type { AccessSnapshot, User } from '../../lib/domain/directory.ts';
import { ServiceError } from '../../lib/domain/errors.ts';
import { type Credentials, type CredentialPorts, verifyCredentials } from '../../lib/usecases/verify-credentials.ts';

const user = { userId: '1', passwordHash: 'hash of right' } as User;
const snapshot = { user } as AccessSnapshot;
const reference = { tenant: 'a.example', userId: '1', companyId: '2', supplierId: null };

const credentials: Credentials = {
  source: '203.0.113.1',
  password: 'right',
  apiKeyHash: null,
  findUser: async () => reference,
  fit: () => true,
};

/** Ports of a world in which everything works, with what became of the attempt's place. */
function world(ports: Partial<CredentialPorts<string>> = {}) {
  const place: string[] = [];
  const attempt = {
    succeed: async () => (place.push('given back'), 'status'),
    fail: async () => (place.push('kept'), 'status'),
  };
  const all: CredentialPorts<string> = {
    admit: async () => attempt,
    readSnapshot: async () => snapshot,
    verifyPassword: async (password, hash) => hash === `hash of ${password}`,
    ...ports,
  };
  return { place, ports: all };
}

const broken = async () => {
  throw new Error('no answer');
};

describe('the check of credentials', () => {
  it('leaves the place of right ones to the caller, with what was read', async () => {
    const { place, ports } = world();
    const checked = await verifyCredentials(ports, credentials);
    expect(checked).toMatchObject({ right: true, user, tenant: 'a.example', snapshot });
    expect(place).toEqual([]);
  });

  it.each<[string, Partial<Credentials>]>([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { findUser: async () => null, fit: () => false }],
    ['other credentials that do not fit', { fit: () => false }],
  ])('keeps the place of %s', async (_what, wrong) => {
    const { place, ports } = world();
    expect(await verifyCredentials(ports, { ...credentials, ...wrong })).toEqual({ right: false, guard: 'status' });
    expect(place).toEqual(['kept']);
  });

  it.each<[string, Partial<CredentialPorts<string>>, Partial<Credentials>]>([
    ['the user cannot be looked up', {}, { findUser: broken }],
    ['the snapshot cannot be read', { readSnapshot: broken }, {}],
  ])('gives the place back when %s, and the answer is SERVICE_UNAVAILABLE', async (_what, faulty, request) => {
    const { place, ports } = world(faulty);
    const checked = verifyCredentials(ports, { ...credentials, ...request });
    await expect(checked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(place).toEqual(['given back']);
  });

  it('gives the place back when the password cannot be checked', async () => {
    const { place, ports } = world({ verifyPassword: broken });
    await expect(verifyCredentials(ports, credentials)).rejects.toThrow('no answer');
    expect(place).toEqual(['given back']);
  });

  it('checks nothing for a blocked source', async () => {
    const blocked = new ServiceError('RATE_LIMITED', 'blocked');
    const { place, ports } = world({ admit: () => Promise.reject(blocked), verifyPassword: broken });
    await expect(verifyCredentials(ports, { ...credentials, findUser: broken })).rejects.toBe(blocked);
    expect(place).toEqual([]);
  });
});
