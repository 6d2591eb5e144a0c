import type { IncomingHttpHeaders } from 'node:http';

/** The value of a `Host` header for this machine, such as `localhost:3000`, `127.0.0.1` or `[::1]:3000`. */
const LOOPBACK_HOST = /^(?:(?:[a-z\d-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** True if the called name always belongs to this machine. Anyone can let another name point to it (DNS rebinding). */
export function hasLoopbackHost({ host = '' }: IncomingHttpHeaders): boolean {
  return LOOPBACK_HOST.test(host);
}

/** True if a page in a browser sent the request. Programs send neither of these headers. */
export function isFromPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin !== undefined || site !== undefined;
}

/** True if a page of another origin sent the request. With the site `none`, the user has entered the address. */
export function isFromOtherOrigin({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && origin !== `http://${host}`) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
