import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SigningHash } from '../../../lib/runtime/signing-hash.ts';

const data = Buffer.from('data');

async function digestOf(hash: SigningHash, parts: readonly Uint8Array[] = [data]): Promise<string> {
  for (const part of parts) hash.update(part);
  return Buffer.from(await hash.digest()).toString('hex');
}

const hmac = (secret: string | Uint8Array) => createHmac('sha256', secret).update(data).digest('hex');

describe('the hash that calls are signed with', () => {
  it('is SHA-256 of all parts', async () => {
    const property = fc.asyncProperty(fc.array(fc.uint8Array()), async (parts) => {
      const expected = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
      expect(await digestOf(new SigningHash(), parts)).toBe(expected);
    });
    await fc.assert(property);
  });

  it('is HMAC with SHA-256 under a secret, the first time and when its key is known', async () => {
    const property = fc.asyncProperty(fc.oneof(fc.string(), fc.uint8Array()), async (secret) => {
      for (let time = 0; time < 2; time++) expect(await digestOf(new SigningHash(secret))).toBe(hmac(secret));
    });
    await fc.assert(property);
  });

  it('takes a secret as a buffer, and as a part of one, and begins anew when it is reset', async () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    expect(await digestOf(new SigningHash(bytes.buffer))).toBe(hmac(bytes));
    const hash = new SigningHash(new DataView(bytes.buffer, 1, 2));
    hash.update(Buffer.from('other'));
    hash.reset();
    expect(await digestOf(hash)).toBe(hmac(bytes.subarray(1, 3)));
  });
});
