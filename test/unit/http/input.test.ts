import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { declareInvoiceContract } from '../../../lib/contracts/declare-invoice.ts';
import { getInvoiceContract } from '../../../lib/contracts/get-invoice.ts';
import { listInvoicesContract } from '../../../lib/contracts/list-invoices.ts';
import { declareInvoice, getInvoice, listInvoices } from '../../../lib/contracts/validators.generated.js';
import { input, pathParameters, queryParameters } from '../../../lib/http/input.ts';
import { jsonBody } from '../../../lib/http/json-body.ts';

type Middleware = Pick<MiddlewareObj<Partial<APIGatewayProxyEvent> & { state: object }>, 'before'>;

/** The input that the middleware of a chain adds to the state of a request. */
async function read(chain: readonly object[], event: Partial<APIGatewayProxyEvent>): Promise<unknown> {
  const state: { input?: unknown } = {};
  const request = { event: { ...event, state } } as Request<Partial<APIGatewayProxyEvent> & { state: object }>;
  for (const middleware of chain) await (middleware as Middleware).before?.(request);
  return state.input;
}

const body = [jsonBody(), input(declareInvoiceContract, declareInvoice)];
const query = [queryParameters(listInvoicesContract), input(listInvoicesContract, listInvoices)];
const path = [pathParameters(), input(getInvoiceContract, getInvoice)];

const JSON_HEADERS = { 'Content-Type': 'application/json' };
const good = { invoice_id: '1001', amount: 10.5 };
const MIB = 1_048_576;

const readBody = (text: string | null, event: Partial<APIGatewayProxyEvent> = {}) =>
  read(body, { headers: JSON_HEADERS, body: text, ...event });
const readQuery = (parameters: Record<string, string[]> | null) =>
  read(query, { multiValueQueryStringParameters: parameters });

const inBoth = (text: unknown) => ({ en: text, es: text });
const fault = (property: string, constraint: string) =>
  expect.objectContaining({
    code: 'VALIDATION_ERROR',
    details: [{ property, constraints: { [constraint]: inBoth(expect.stringContaining(property)) } }],
  });

describe('a body', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'is read as %s',
    async (type) => {
      expect(await readBody(JSON.stringify(good), { headers: { 'content-type': type } })).toEqual(good);
    },
  );

  it.each(['text/plain', 'application/json-patch+json', 'application/x-www-form-urlencoded', '', undefined])(
    'needs the Content-Type application/json, not %j',
    async (type) => {
      await expect(readBody(JSON.stringify(good), { headers: { 'Content-Type': type } })).rejects.toThrow(
        fault('Content-Type', 'mediaType'),
      );
    },
  );

  it.each(['', ' ', '{', '{"amount": 1,}', "{'amount': 1}", 'amount=1', '{"amount": NaN}', null])(
    'must be valid JSON, unlike %j [error-envelope/always-details]',
    async (text) => {
      await expect(readBody(text)).rejects.toThrow(fault('body', 'json'));
    },
  );

  it('is decoded when it comes in base64', async () => {
    const text = Buffer.from(JSON.stringify({ ...good, notes: 'grúa' })).toString('base64');
    expect(await readBody(text, { isBase64Encoded: true })).toEqual({ ...good, notes: 'grúa' });
  });

  it('may have 1 MiB, whitespace included, and not a byte more', async () => {
    const text = JSON.stringify(good);
    expect(await readBody(text.padEnd(MIB))).toEqual(good);
    await expect(readBody(text.padEnd(MIB + 1))).rejects.toThrow(fault('body', 'maxBytes'));
  });

  it.each([true, false])(
    'may begin with a byte order mark, which counts for its size; in base64: %s',
    async (isBase64Encoded) => {
      const send = (text: string) => {
        const sent = isBase64Encoded ? Buffer.from(text).toString('base64') : text;
        return readBody(sent, { isBase64Encoded });
      };
      const text = JSON.stringify(good);
      const markBytes = Buffer.byteLength('\uFEFF');
      expect(await send(`\uFEFF${text}`)).toEqual(good);
      expect(await send(`\uFEFF${text.padEnd(MIB - markBytes)}`)).toEqual(good);
      await expect(send(`\uFEFF${text.padEnd(MIB - markBytes + 1)}`)).rejects.toThrow(fault('body', 'maxBytes'));
      await expect(send(`\uFEFF\uFEFF${text}`)).rejects.toThrow(fault('body', 'json'));
      await expect(send('\uFEFF')).rejects.toThrow(fault('body', 'json'));
    },
  );

  it('is measured in bytes, not in characters', async () => {
    await expect(readBody(JSON.stringify({ ...good, other: 'ñ'.repeat(MIB / 2) }))).rejects.toThrow(
      fault('body', 'maxBytes'),
    );
  });

  it.each([
    ['__proto__', '{"invoice_id": "1001", "amount": 1, "__proto__": {"notes": "inherited"}}'],
    ['__proto__', '{"invoice_id": "1001", "__proto__": {"amount": 1}}'],
    ['constructor', '{"invoice_id": "1001", "amount": 1, "constructor": {"prototype": {"notes": "inherited"}}}'],
  ])('must not have the key %s: %s', async (key, text) => {
    await expect(readBody(text)).rejects.toThrow(fault(key, 'reserved'));
    expect(({} as { notes?: string }).notes).toBeUndefined();
  });

  it.each(['__proto__', 'constructor'])('that is nothing but the name %s is no JSON', async (text) => {
    await expect(readBody(text)).rejects.toThrow(fault('body', 'json'));
  });

  it('cannot hold a number beyond all bounds', async () => {
    await expect(readBody('{"invoice_id": "1001", "amount": 1e400}')).rejects.toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ property: 'amount' })] }),
    );
  });
});

describe('a query', () => {
  const dates = { startdate: ['2026-07-01'], enddate: ['2026-07-31'] };

  it('has its integers read as numbers and the rest as text', async () => {
    const parameters = { ...dates, limit: ['50'], offset: ['0'], search: ['100'] };
    expect(await readQuery(parameters)).toEqual({
      startdate: '2026-07-01',
      enddate: '2026-07-31',
      limit: 50,
      offset: 0,
      search: '100',
    });
  });

  it.each([' ', 'ten', '1.5', '1e1', '0x10', '+5', '1,2', 'NaN', 'Infinity'])(
    'takes no integer from %j',
    async (limit) => {
      await expect(readQuery({ ...dates, limit: [limit] })).rejects.toThrow(fault('limit', 'type'));
    },
  );

  it('counts an empty parameter as not sent, but for one that is required', async () => {
    expect(await readQuery({ ...dates, status: [''], search: [''], limit: [''], offset: [''] })).toEqual({
      startdate: '2026-07-01',
      enddate: '2026-07-31',
    });
    await expect(readQuery({ ...dates, startdate: [''] })).rejects.toThrow(fault('startdate', 'minLength'));
  });

  it('takes each parameter once, so that none is ignored', async () => {
    await expect(readQuery({ ...dates, status: ['PEN', 'ENV'] })).rejects.toThrow(fault('status', 'single'));
  });

  it('that is missing lacks its required parameters', async () => {
    await expect(readQuery(null)).rejects.toThrow(
      expect.objectContaining({
        details: [expect.objectContaining({ property: 'startdate' }), expect.objectContaining({ property: 'enddate' })],
      }),
    );
  });

  it('of __proto__ keys is harmless', async () => {
    const parameters = JSON.parse(
      '{"__proto__": ["x"], "startdate": ["2026-07-01"], "enddate": ["2026-07-31"]}',
    ) as typeof dates;
    expect(await readQuery(parameters)).toMatchObject({ startdate: '2026-07-01', enddate: '2026-07-31' });
    expect(({} as { 0?: string })[0]).toBeUndefined();
  });
});

describe('a path', () => {
  it('gives its parameters', async () => {
    expect(await read(path, { pathParameters: { id: '1001' } })).toEqual({ id: '1001' });
  });

  it('without its parameter is invalid', async () => {
    await expect(read(path, { pathParameters: null })).rejects.toThrow(fault('id', 'required'));
  });
});
