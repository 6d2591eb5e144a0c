import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { declareInvoiceContract } from '../../../lib/contracts/declare-invoice.ts';
import { listInvoicesContract } from '../../../lib/contracts/list-invoices.ts';
import { declareInvoice, listInvoices } from '../../../lib/contracts/validators.generated.js';
import * as input from '../../../lib/http/input.ts';
import { proves } from '../../rules/proves.ts';

type Middleware = Pick<MiddlewareObj<Partial<APIGatewayProxyEvent> & { state: object }>, 'before'>;

/** Returns the input that a middleware adds to the state of a request. */
async function read(middleware: object, event: Partial<APIGatewayProxyEvent>): Promise<unknown> {
  const state: { input?: unknown } = {};
  const request = { event: { ...event, state } } as Request<Partial<APIGatewayProxyEvent> & { state: object }>;
  await (middleware as Middleware).before?.(request);
  return state.input;
}

const body = input.parseValidInput(input.readBody, declareInvoiceContract, declareInvoice);
const query = input.parseValidInput(input.readParameters, listInvoicesContract, listInvoices);

const JSON_HEADERS = { 'Content-Type': 'application/json' };
const good = { invoice_id: '1001', amount: 10.5 };
const MIB = 1_048_576;

const readBody = (text: string | null, event: Partial<APIGatewayProxyEvent> = {}) =>
  read(body, { headers: JSON_HEADERS, body: text, ...event });
const readQuery = (parameters: Record<string, string[]> | null) =>
  read(query, { multiValueQueryStringParameters: parameters });

const inBoth = (text: unknown) => ({ en: text, es: text });
const matchError = (property: string, constraint: string) =>
  expect.objectContaining({
    code: 'VALIDATION_ERROR',
    details: [{ property, constraints: { [constraint]: inBoth(expect.stringContaining(property)) } }],
  });

const text = JSON.stringify(good);
const BOM = '\uFEFF';
const toBase64 = (value: string) => Buffer.from(value).toString('base64');

describe('a body', () => {
  it.each(['application/json', ' Application/JSON ; charset=utf-8'])(
    'reads a body with the Content-Type %j',
    async (type) => {
      expect(await readBody(text, { headers: { 'content-type': type } })).toEqual(good);
    },
  );

  it('keeps the empty texts of a body, which clear stored values', async () => {
    const cleared = { ...good, notes: '', invoice_number: '' };
    expect(await readBody(JSON.stringify(cleared))).toEqual(cleared);
  });

  it.each(['text/plain', 'application/json-patch+json', 'application/x-www-form-urlencoded', '', undefined])(
    'rejects a body whose Content-Type is not application/json: %j',
    async (type) => {
      const headers = { 'Content-Type': type };
      await expect(readBody(text, { headers })).rejects.toThrow(matchError('Content-Type', 'mediaType'));
    },
  );

  const notJson = ['', ' ', '{', '{"amount": 1,}', "{'amount': 1}", 'amount=1', '{"amount": NaN}', null];
  it.each([...notJson, BOM, BOM + BOM + text, '__proto__', 'constructor'])(
    'rejects a body that is not valid JSON: %j',
    async (sent) => {
      proves('error-envelope/always-details');
      await expect(readBody(sent)).rejects.toThrow(matchError('body', 'json'));
    },
  );

  it.each([true, false])(
    'accepts a body of 1 MiB with whitespace and BOM, and rejects one byte more, in base64: %s',
    async (isBase64Encoded) => {
      const send = (sent: string) => readBody(isBase64Encoded ? toBase64(sent) : sent, { isBase64Encoded });
      const bomLimit = MIB - Buffer.byteLength(BOM);
      const accepted = [text, text.padEnd(MIB), BOM + text, BOM + text.padEnd(bomLimit)];
      expect(await Promise.all(accepted.map(send))).toEqual(accepted.map(() => good));
      const withNotes = JSON.stringify({ ...good, notes: 'grúa' });
      expect(await send(withNotes)).toEqual({ ...good, notes: 'grúa' });
      const tooLarge = JSON.stringify({ ...good, other: 'ñ'.repeat(MIB / 2) });
      for (const sent of [text.padEnd(MIB + 1), BOM + text.padEnd(bomLimit + 1), tooLarge])
        await expect(send(sent)).rejects.toThrow(matchError('body', 'maxBytes'));
    },
  );

  it.each([
    ['__proto__', '{"invoice_id": "1001", "amount": 1, "__proto__": {"notes": "inherited"}}'],
    ['__proto__', '{"invoice_id": "1001", "__proto__": {"amount": 1}}'],
    ['constructor', '{"invoice_id": "1001", "amount": 1, "constructor": {"prototype": {"notes": "inherited"}}}'],
  ])('rejects a body with the key %s: %s', async (key, sent) => {
    await expect(readBody(sent)).rejects.toThrow(matchError(key, 'reserved'));
    expect(({} as { notes?: string }).notes).toBeUndefined();
  });

  it.each([
    // 10,001 names and values.
    `[${'0,'.repeat(10_000)}0]`,
    String.raw`${'{"a":'.repeat(5_001)}"\ud83d"${'}'.repeat(5_001)}`,
    '['.repeat(10_001),
  ])('rejects a body with too many names and values before it is parsed', async (sent) => {
    proves('error-envelope/always-details');
    const parse = vi.spyOn(JSON, 'parse');
    await expect(readBody(sent)).rejects.toThrow(matchError('body', 'maxValues'));
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it.each([
    ['1e400, which is Infinity', '1e400', 'type'],
    ['1e-400, which is 0', '1e-400', 'not'],
    ['0.00012E-0330, which is 0', '0.00012E-0330', 'not'],
    ['400 zeros after the decimal point', `0.${'0'.repeat(400)}1`, 'not'],
    ['250 zeros after the decimal point and an exponent', `0.${'0'.repeat(250)}1e-99`, 'not'],
    ['-1e-400, which is -0', '-1e-400', 'minimum'],
  ])('rejects a body with a number that JSON.parse cannot read: %s', async (_value, number, constraint) => {
    const sent = String.raw`{"notes": "\"1e-400", "invoice_id": "1001", "amount": ${number}}`;
    await expect(readBody(sent)).rejects.toThrow(matchError('amount', constraint));
  });

  it.each([
    ['amount', '{"invoice_id": "1001", "amount": 1, "amount": 2}'],
    ['amount', String.raw`{"invoice_id": "1001", "amount": 1, "\u0061mount" : 1}`],
    ['a', '{"invoice_id": "1001", "amount": 1, "other": [{"b": {"a": 1}, "a": {}, "c": "a", "a": 2}]}'],
    ['', '{"invoice_id": "1001", "amount": 1, "": 1, "": 2}'],
  ])('rejects a body with two values of the name %j: %s', async (name, sent) => {
    await expect(readBody(sent)).rejects.toThrow(matchError(name, 'single'));
  });

  it.each(['0', '-0', '0e-400', '1.5e-6'])(
    'accepts the number %s, names of several objects, and both in texts',
    async (number) => {
      const others = String.raw`"a": [{"a": "{\"a\":1e-400"}, {"a": ["a", "a"]}], "b": {"a": "\\"}`;
      const accepted = await readBody(`{${others}, "invoice_id": "1001", "amount": ${number}}`);
      expect(accepted).toEqual({ ...JSON.parse(`{${others}}`), invoice_id: '1001', amount: Number(number) });
    },
  );
});

it('a parameter of the path has priority over a parameter of the query with the same name', () => {
  const event = { pathParameters: { id: '1' }, multiValueQueryStringParameters: { id: ['2'], limit: ['5'] } };
  const contract = { request: { properties: { id: {}, limit: { type: ['integer'] } } } };
  expect(input.readParameters({ event } as never, contract as never)).toEqual({ id: '1', limit: 5 });
});

describe('a query', () => {
  const dates = { startdate: ['2026-07-01'], enddate: ['2026-07-31'] };
  const asRead = { startdate: '2026-07-01', enddate: '2026-07-31' };

  it('reads the integers of a query as numbers and the other parameters as text', async () => {
    const parameters = { ...dates, limit: ['50'], offset: ['0'], search: ['100'] };
    expect(await readQuery(parameters)).toEqual({ ...asRead, limit: 50, offset: 0, search: '100' });
  });

  it.each([' ', 'ten', '1.5', '1e1', '0x10', '+5', '1,2', 'NaN', 'Infinity'])(
    'rejects %j in a query as an integer',
    async (limit) => {
      await expect(readQuery({ ...dates, limit: [limit] })).rejects.toThrow(matchError('limit', 'type'));
    },
  );

  it('ignores an empty optional parameter of a query, and rejects an empty required one', async () => {
    const empty = { status: [''], search: [''], limit: [''], offset: [''] };
    expect(await readQuery({ ...dates, ...empty })).toEqual(asRead);
    await expect(readQuery({ ...dates, startdate: [''] })).rejects.toThrow(matchError('startdate', 'minLength'));
  });

  it.each([{ status: ['PEN', 'ENV'] }, { 'status[]': ['PEN'] }, { 'status[0]': ['PEN'], status: ['PEN'] }])(
    'rejects a list in a parameter of a query, so that no value is ignored: %o',
    async (parameters) => {
      await expect(readQuery({ ...dates, ...parameters })).rejects.toThrow(matchError('status', 'single'));
    },
  );

  it('ignores unknown parameters of a query, even if they are repeated', async () => {
    expect(await readQuery({ ...dates, other: ['1', '2'], 'other[]': ['1'], toString: ['x', 'y'] })).toEqual(asRead);
  });

  it.each([
    ['offset', '9'.repeat(21), 'maximum'],
    ['limit', `-${'9'.repeat(21)}`, 'minimum'],
    ['limit', '9'.repeat(301), 'type'],
  ])('rejects a number of any length in a query: %s=%s (%s)', async (name, digits, constraint) => {
    await expect(readQuery({ ...dates, [name]: [digits] })).rejects.toThrow(matchError(name, constraint));
  });

  it('reports all required parameters if there is no query', async () => {
    const details = ['startdate', 'enddate'].map((property) => expect.objectContaining({ property }));
    await expect(readQuery(null)).rejects.toThrow(expect.objectContaining({ details }));
  });

  it('a query with a __proto__ key does not change any prototype', async () => {
    const parameters = JSON.parse(JSON.stringify(dates).replace('{', '{"__proto__":["x"],')) as typeof dates;
    expect(await readQuery(parameters)).toMatchObject(asRead);
    expect(({} as { 0?: string })[0]).toBeUndefined();
  });
});
