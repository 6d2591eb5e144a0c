import { createHash } from 'node:crypto';

/** The SHA-256 of an API key, in hex: all that is stored of it. A key is a random UUID, so the hash needs no salt. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key.toLowerCase()).digest('hex');
}
