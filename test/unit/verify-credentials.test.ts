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

/** Ports of a world in which everything works, with what the guard was told. */
function world(ports: Partial<CredentialPorts<string>> = {}) {
  const told: string[] = [];
  const attempt = {
    succeed: async () => (told.push('right'), 'status'),
    fail: async () => (told.push('wrong'), 'status'),
  };
  const all: CredentialPorts<string> = {
    admit: async () => attempt,
    readSnapshot: async () => snapshot,
    verifyPassword: async (password, hash) => hash === `hash of ${password}`,
    ...ports,
  };
  return { told, ports: all };
}

const broken = async () => {
  throw new Error('no answer');
};

describe('the check of credentials', () => {
  it('leaves it to the caller to tell the guard of right ones, with what was read', async () => {
    const { told, ports } = world();
    const checked = await verifyCredentials(ports, credentials);
    expect(checked).toMatchObject({ right: true, user, tenant: 'a.example', snapshot });
    expect(told).toEqual([]);
  });

  it.each<[string, Partial<Credentials>]>([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { findUser: async () => null, fit: () => false }],
    ['other credentials that do not fit', { fit: () => false }],
  ])('tells the guard of %s', async (_what, wrong) => {
    const { told, ports } = world();
    expect(await verifyCredentials(ports, { ...credentials, ...wrong })).toEqual({ right: false, guard: 'status' });
    expect(told).toEqual(['wrong']);
  });

  it.each<[string, Partial<CredentialPorts<string>>, Partial<Credentials>]>([
    ['the guard cannot be asked', { admit: broken }, {}],
    ['the user cannot be looked up', {}, { findUser: broken }],
    ['the snapshot cannot be read', { readSnapshot: broken }, {}],
  ])('counts nothing when %s, and the answer is SERVICE_UNAVAILABLE', async (_what, faulty, request) => {
    const { told, ports } = world(faulty);
    const checked = verifyCredentials(ports, { ...credentials, ...request });
    await expect(checked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(told).toEqual([]);
  });

  it('does not tell that a password is wrong when the guard cannot count it', async () => {
    const { ports } = world({ admit: async () => ({ succeed: broken, fail: broken }) });
    const checked = verifyCredentials(ports, { ...credentials, password: 'wrong' });
    await expect(checked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('counts nothing when the password cannot be checked', async () => {
    const { told, ports } = world({ verifyPassword: broken });
    await expect(verifyCredentials(ports, credentials)).rejects.toThrow('no answer');
    expect(told).toEqual([]);
  });

  it('checks nothing for a blocked source', async () => {
    const blocked = new ServiceError('RATE_LIMITED', 'blocked');
    const { told, ports } = world({ admit: () => Promise.reject(blocked), verifyPassword: broken });
    await expect(verifyCredentials(ports, { ...credentials, findUser: broken })).rejects.toBe(blocked);
    expect(told).toEqual([]);
  });
});
