import type { IncomingHttpHeaders } from 'node:http';

const loopbackHost = /^(?:(?:[a-z\d-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether a request calls this machine by a name that is always its own: any other may be led here by whoever owns it
 * (DNS rebinding).
 */
export function callsLoopback({ host = '' }: IncomingHttpHeaders): boolean {
  return loopbackHost.test(host);
}

/** Whether a page in a browser sent the request: programs send neither header. */
export function isFromPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin !== undefined || site !== undefined;
}

/** Whether a page of another origin than the one that is called sent the request. */
export function isFromOtherOrigin({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && origin !== `http://${host}`) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
