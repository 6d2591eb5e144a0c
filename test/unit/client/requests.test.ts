import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../lib/client/index.ts';
import { scriptedPortal, success } from '../../support/client/scripted-portal.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const invoices = 'https://portal.example/apidev/v1/supplier-portal/invoices';

describe('a request of the client', () => {
  it.each(['https://portal.example/live', 'https://portal.example/live/'])('goes to %s', async (baseUrl) => {
    const { client, requests } = scriptedPortal({ calls: [success({})] }, { baseUrl });
    await client.getInvoice('9001');
    expect(requests.map(({ url }) => url)).toEqual([
      'https://portal.example/live/apidev/v1/login',
      'https://portal.example/live/apidev/v1/supplier-portal/invoices/9001',
    ]);
  });

  it('carries the credentials, the login the key too, and a type only with a body', async () => {
    const { client, requests } = scriptedPortal({ calls: [success({}), success({})] });
    await client.getInvoice('9001');
    await client.declareInvoice({ invoice_id: '9001', amount: 1050 });
    const headers = { tenant: 'demo.example', 'X-API-Key': 'secret-api-key', Authorization: 'Bearer token-1' };
    const { Authorization: _, ...ofLogin } = headers;
    expect(requests[0]?.headers).toEqual({ ...ofLogin, 'Content-Type': 'application/json' });
    expect(requests[1]?.headers).toEqual(headers);
    expect(requests[2]?.headers).toEqual({ ...headers, 'Content-Type': 'application/json' });
  });

  it.each(['en', 'es'] as const)(
    'asks for messages in the language %s if that is wanted, also to log in',
    async (language) => {
      const { client, requests } = scriptedPortal({ calls: [success({}), success({})] }, { language });
      await client.getInvoice('9001');
      await client.declareInvoice({ invoice_id: '9001', amount: 1050 });
      const asked = requests.map(({ headers }) => headers['Accept-Language']);
      expect(asked).toEqual([language, language, language]);
    },
  );

  it.each([
    ['apiKey', 'secret-ключ'],
    ['apiKey', 'secret\nkey'],
    ['tenant', 'secret…'],
  ])(
    'cannot be made with the %s %j, which no header can hold: that is said at once, without the value',
    (name, value) => {
      const create = () => scriptedPortal({}, { [name]: value });
      expect(create).toThrow(new TypeError(`${name} has characters that cannot be sent in a header.`));
    },
  );

  it.each([
    'http://portal.example',
    'HTTP://portal.example',
    'http://192.168.1.2:3000',
    'http://0.0.0.0:3000',
    'http://[::2]',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1@evil.example',
    'ftp://localhost',
    'localhost:3000',
    'portal.example',
    '',
  ])('cannot be made with the address %j, where others could read the credentials', (baseUrl) => {
    const create = () => scriptedPortal({}, { baseUrl });
    expect(create).toThrow(new TypeError('baseUrl must begin with https://; http:// is for this machine only.'));
  });

  it.each([
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.8.9.1',
    'http://[::1]:3000',
    'HTTPS://a.example',
  ])('goes to %s, where nobody else can', async (baseUrl) => {
    const { client, requests } = scriptedPortal({}, { baseUrl });
    await client.login();
    expect(requests.map(({ url }) => url)).toEqual([`${baseUrl}/apidev/v1/login`]);
  });

  it.each([
    ['a/b?c#d', 'a%2Fb%3Fc%23d'],
    ['../../login', '..%2F..%2Flogin'],
    ['ñ%', '%C3%B1%25'],
  ])('keeps the id %j within its segment of the path', async (id, segment) => {
    const { client, requests } = scriptedPortal({ calls: [success({})] });
    await client.getInvoice(id);
    expect(requests[1]?.url).toBe(`${invoices}/${segment}`);
  });

  it.each([undefined, null])('leaves out a parameter that is %s', async (status) => {
    const { client, requests } = scriptedPortal({ calls: [success({ rows: [] }, { total: 0 })] });
    const query = { startdate: '2026-06-01', enddate: '2026-08-31', status } as unknown;
    await client.listInvoices(query as { startdate: string; enddate: string });
    expect(requests[1]?.url).toBe(`${invoices}?startdate=2026-06-01&enddate=2026-08-31`);
  });

  it('may have null in an optional property, and in no other', () => {
    const optional: Partial<Declaration> = { notes: null, invoice_number: null, invoice_date: null, tax_pct: null };
    // @ts-expect-error -- amount is required
    const declaration: Declaration = { invoice_id: '9001', amount: null, ...optional };
    expect(declaration).toHaveProperty('notes', null);
  });

  it('may not have a misspelt property', () => {
    // @ts-expect-error -- invoce_number
    const declaration: Declaration = { invoice_id: '9001', amount: 1050, invoce_number: 'A-1' };
    expect(declaration).toHaveProperty('invoce_number');
  });
});

describe('the code of the client', () => {
  it('is small, and needs nothing but itself', async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: [`${root}/lib/client/portal-client.ts`],
      absWorkingDir: root,
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      metafile: true,
      write: false,
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.length).toBeGreaterThan(5);
    expect(inputs.filter((file) => !file.startsWith('lib/client/'))).toEqual([]);
    expect(outputFiles[0]?.contents.length).toBeLessThan(6_000);
  });
});
