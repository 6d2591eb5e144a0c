import { createHash } from 'node:crypto';

/** Computes the SHA-256 of an API key in hex, which is stored. A key is a random UUID, so the hash needs no salt. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key.toLowerCase()).digest('hex');
}
