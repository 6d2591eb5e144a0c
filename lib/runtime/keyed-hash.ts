import { createHmac } from 'node:crypto';

/** The HMAC-SHA-256 of a text under a key, as 43 characters of base64url. */
export function keyedHash(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
