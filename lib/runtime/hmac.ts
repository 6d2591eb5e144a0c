import { createHmac } from 'node:crypto';

/** Returns the HMAC-SHA-256 of a text with a key, as 43 characters of base64url. */
export function hmacSha256(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
