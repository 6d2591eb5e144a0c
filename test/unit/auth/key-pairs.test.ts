import { expect, it } from 'vitest';
import { generateSigningKey, publicPartOf } from '../../../lib/auth/key-pairs.ts';

it('publishes nothing of the private key but its public part', async () => {
  const { publicKey, privateKey } = await generateSigningKey('key-1');
  const { x, y } = privateKey.privateJwk;
  expect(publicKey).toEqual({ kid: 'key-1', alg: 'ES256', use: 'sig', kty: 'EC', crv: 'P-256', x, y });
  expect(privateKey.privateJwk.d).toEqual(expect.any(String));
  expect(publicPartOf(privateKey)).toEqual(publicKey);
});
