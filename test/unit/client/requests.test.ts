import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { createScriptedPortal, buildSuccess } from '../../support/client/scripted-portal.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const invoices = 'https://portal.example/apidev/v1/supplier-portal/invoices';

it('a request has the language, the credentials (a login no API key) and, if it has a body, its type', async () => {
  const calls = [buildSuccess({}), buildSuccess({})];
  const { client, requests } = createScriptedPortal({ calls }, { language: 'es' });
  await client.getInvoice('9001');
  await client.declareInvoice({ invoice_id: '9001', amount: 1050 });
  const loginHeaders = { tenant: 'demo.example', 'Accept-Language': 'es' };
  const callHeaders = { ...loginHeaders, 'X-API-Key': 'secret-api-key', Authorization: 'Bearer token-1' };
  const contentType = { 'Content-Type': 'application/json' };
  const sent = [{ ...loginHeaders, ...contentType }, callHeaders, { ...callHeaders, ...contentType }];
  expect(requests.map(({ headers }) => headers)).toEqual(sent);
});

const notSendable = 'has characters that cannot be sent in a header.';
const notSecure = 'must begin with https://; http:// is for this machine only.';
const insecureUrls = [
  ...['http://portal.example', 'http://192.168.1.2:3000', 'http://0.0.0.0:3000', 'http://[::2]'],
  ...['http://127.0.0.1.evil.example', 'http://127.0.0.1@evil.example', 'ftp://localhost', 'portal.example'],
];
const beforeApidev = 'must end before /apidev, because the client adds /apidev/v1.';
const noExtras = 'cannot have a user, a query or a fragment.';
const missing = 'is missing or empty.';
const notInRange = 'must be a number from 1 to 2147483647.';
it.each<[string, unknown, string]>([
  ...['baseUrl', 'tenant', 'apiKey', 'email', 'password'].flatMap((name): [string, unknown, string][] => [
    [name, undefined, missing],
    [name, ' ', missing],
  ]),
  ...['https://a.example/apidev/v1', 'https://a.example/x/apidev/v1/', 'https://a.example/apidev'].map(
    (url): [string, string, string] => ['baseUrl', url, beforeApidev],
  ),
  ...['https://user:secret@a.example', 'https://a.example?x=1', 'https://a.example#x'].map(
    (url): [string, string, string] => ['baseUrl', url, noExtras],
  ),
  ...[0, Number.NaN, Infinity, 2 ** 31].map((ms): [string, number, string] => ['timeoutMs', ms, notInRange]),
  ['maxAttempts', Number.NaN, notInRange],
  ['apiKey', 'secret-ключ', notSendable],
  ['apiKey', 'secret\nkey', notSendable],
  ['tenant', 'secret…', notSendable],
  ...insecureUrls.map((url): [string, string, string] => ['baseUrl', url, notSecure]),
])('the client rejects the %s %j with an error that does not contain the value', (name, value, reason) => {
  expect(() => createScriptedPortal({}, { [name]: value })).toThrow(new TypeError(`${name} ${reason}`));
});

it.each([
  ...['http://localhost:3000', 'http://127.0.0.1:3000', 'http://127.8.9.1', 'http://[::1]:3000'],
  ...['HTTPS://a.example', 'https://portal.example/live', 'https://portal.example/live/'],
  'https://apidev.example/apidev/v2',
])('the client accepts the base URL %s, which is encrypted or local', async (baseUrl) => {
  const { client, requests } = createScriptedPortal({}, { baseUrl });
  await client.login();
  expect(requests.map(({ url }) => url)).toEqual([`${baseUrl.replace(/\/$/, '')}/apidev/v1/login`]);
});

it.each([
  ['a/b?c#d', 'a%2Fb%3Fc%23d'],
  ['../../login', '..%2F..%2Flogin'],
  ['ñ%', '%C3%B1%25'],
])('a request encodes the id %j in its path segment', async (id, segment) => {
  const { client, requests } = createScriptedPortal({ calls: [buildSuccess({})] });
  await client.getInvoice(id);
  expect(requests[1]?.url).toBe(`${invoices}/${segment}`);
});

it('a request omits a parameter that is undefined or null', async () => {
  const { client, requests } = createScriptedPortal({ calls: [buildSuccess()] });
  const query = { startdate: '2026-06-01', enddate: '2026-08-31', status: null, search: undefined } as unknown;
  await client.listInvoices(query as { startdate: string; enddate: string });
  expect(requests[1]?.url).toBe(`${invoices}?startdate=2026-06-01&enddate=2026-08-31`);
});

it('the bundle of the client has less than 8,900 bytes and no dependencies', async () => {
  const { metafile, outputFiles } = await build({
    ...{ entryPoints: [`${root}/lib/client/portal-client.ts`], absWorkingDir: root },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'neutral', metafile: true, write: false },
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('lib/client/transport.ts');
  expect(inputs.filter((file) => !file.startsWith('lib/client/'))).toEqual([]);
  expect(outputFiles[0]?.contents.length).toBeLessThan(8_900);
});
