import { expect, it } from 'vitest';
import { hasLoopbackHost, isFromOtherOrigin, isFromPage } from '../../../infra/local/callers.ts';

it.each(['localhost', 'LOCALHOST:80', 'portal.localhost:80', '127.0.0.1', '127.1.2.3:80', '[::1]:80'])(
  'hasLoopbackHost is true for %s, which always names this machine',
  (host) => expect(hasLoopbackHost({ host })).toBe(true),
);

it.each([
  '',
  'evil.example:80',
  'localhost.evil.example',
  'notlocalhost',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  '192.168.1.2:80',
  '0.0.0.0:80',
  '[::2]:80',
  'localhost:80, evil.example',
])('hasLoopbackHost is false for %j, which its owner can point to this machine', (host) =>
  expect(hasLoopbackHost({ host })).toBe(false),
);

const host = '127.0.0.1:3000';
it.each<[origin: string | undefined, site: string | undefined, isOther: boolean]>([
  [undefined, undefined, false],
  [undefined, 'none', false],
  [undefined, 'same-site', true],
  [undefined, 'cross-site', true],
  [`http://${host}`, 'same-origin', false],
  [`http://${host}`, 'cross-site', true],
  [`https://${host}`, undefined, true],
  ['http://127.0.0.1:1', undefined, true],
  ['http://evil.example', 'same-origin', true],
  ['null', undefined, true],
  ['', undefined, true],
])('a call with the origin %j from the site %j is from another origin: %j', (origin, site, isOther) => {
  const headers = { host, ...(origin !== undefined && { origin }), ...(site && { 'sec-fetch-site': site }) };
  expect(isFromOtherOrigin(headers)).toBe(isOther);
  expect(isFromPage(headers), 'programs send neither header').toBe(origin !== undefined || site !== undefined);
});
