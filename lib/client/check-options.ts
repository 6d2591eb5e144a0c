import type { PortalClientOptions } from './client-types.ts';
import { checkHeaders, isConfidential } from './transport.ts';

// The maximum of `timeoutMs` is the longest timer of Node. A longer timer would end after 1 ms.
const MAX_NUMBER = 2 ** 31 - 1;

/** Throws a TypeError with the name of the first option that cannot be used. No message contains a value. */
export function checkOptions(options: PortalClientOptions): void {
  // The checks below accept the value 1, which replaces an optional number that is missing.
  const { baseUrl, tenant, apiKey, email, password, timeoutMs = 1, maxAttempts = 1 } = options;
  // A program can pass an undefined variable of its environment, although the types do not allow this.
  for (const [name, value] of Object.entries({ baseUrl, tenant, apiKey, email, password })) {
    if (typeof value !== 'string' || value.trim() === '') throw new TypeError(`${name} is missing or empty.`);
  }
  if (!isConfidential(baseUrl)) {
    throw new TypeError('baseUrl must begin with https://; http:// is for this machine only.');
  }
  const { username, search, hash, pathname } = new URL(baseUrl);
  if (username || search || hash) throw new TypeError('baseUrl cannot have a user, a query or a fragment.');
  if (/\/apidev(\/v1)?\/*$/.test(pathname)) {
    throw new TypeError('baseUrl must end before /apidev, because the client adds /apidev/v1.');
  }
  checkHeaders({ tenant, apiKey });
  for (const [name, value] of Object.entries({ timeoutMs, maxAttempts })) {
    if (!(value >= 1 && value <= MAX_NUMBER)) throw new TypeError(`${name} must be a number from 1 to ${MAX_NUMBER}.`);
  }
}
