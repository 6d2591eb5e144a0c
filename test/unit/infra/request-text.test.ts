import { describe, expect, it } from 'vitest';
import { invoicesIn, reasonIn, shortPath } from '../../../infra/local/logs/describe-exchange.ts';
import { causesOf, parseFunctionLine } from '../../../infra/local/logs/function-line.ts';
import { type RequestFacts, requestText } from '../../../infra/local/logs/request-text.ts';
import { jsonReply } from '../../../infra/local/reply.ts';
import { styleOf } from '../../../infra/styles.ts';

const plain = (_: unknown, text: string) => text;
const at = new Date(2026, 7, 1, 14, 3, 5);
const facts: RequestFacts = {
  at,
  clock: undefined,
  method: 'POST',
  path: '/declare',
  status: 200,
  durationMs: 14.4,
  user: 'ana',
  invoices: '9001',
  requestId: '06b9a1c2-0000-4000-8000-000000000000',
  causes: [],
};

describe('the line of a request', () => {
  it('says when, what, how it ended, how long it took, who it was and for which invoice', () => {
    expect(requestText(facts, plain)).toBe('14:03:05 POST /declare 200 14 ms ana 9001 req 06b9a1c2…');
  });

  it('leaves out what is not known', () => {
    const line = requestText({ ...facts, user: undefined, invoices: undefined }, plain);
    expect(line).toBe('14:03:05 POST /declare 200 14 ms req 06b9a1c2…');
  });

  it('shows the time of the functions beside that of the machine when their clock was moved', () => {
    const clock = new Date('2027-01-01T00:00:00.123Z');
    expect(requestText({ ...facts, clock }, plain)).toMatch(/^14:03:05 \[clock 2027-01-01T00:00:00Z\] POST /);
  });

  it('has the causes of an error beneath', () => {
    const lines = requestText({ ...facts, status: 500, causes: ['INTERNAL_ERROR: …', 'Error: it broke'] }, plain);
    expect(lines.split('\n').slice(1)).toEqual(['  INTERNAL_ERROR: …', '  Error: it broke']);
  });

  it('lets no sign reach the terminal that moves it, hides text or begins a line', () => {
    const evil = 'a\u001b[2J\u009b1m\u0007\r\nb\u202e\u2028c';
    const text = requestText({ ...facts, method: evil, path: evil, user: evil, causes: [evil] }, plain);
    const lines = text.split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it('has the colour of its status where styles are shown', () => {
    const style = styleOf({ isTTY: true }, {});
    for (const [status, colour] of Object.entries({ 200: 32, 302: 36, 404: 33, 500: 31 })) {
      expect(requestText({ ...facts, status: Number(status) }, style)).toContain(
        `\u001b[${colour}m${status}\u001b[39m`,
      );
    }
  });
});

describe('the path of a request', () => {
  const match = { functionId: 'f', resource: '/apidev/v1/supplier-portal/invoices/{id}', parameters: { id: '9001' } };
  it.each([
    ['/apidev/v1/login', '/login'],
    ['/apidev/v1/supplier-portal/invoices', '/invoices'],
    ['/apidev/v1/supplier-portal/invoices/declare-batch', '/declare-batch'],
    ['/apidev/legacy/WSDeclararFactura', '/legacy/WSDeclararFactura'],
    ['/_local/clock', '/_local/clock'],
    ['/apidev/v1/invoces', '/invoces'],
    ['/', '/'],
    ['', '/'],
  ])('of %s is %s', (path, shown) => {
    expect(shortPath({ path, match: undefined })).toBe(shown);
  });

  it('of an invoice is that of all invoices', () => {
    const path = '/apidev/v1/supplier-portal/invoices/9001';
    expect(shortPath({ path, match })).toBe('/invoices/{id}');
  });

  it.each([
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiJub3RlcyJ9.c2lnbmF0dXJl',
    '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001',
    'Demo-2026!',
    'hunter2-not-the-password',
    '%1b%5b2J',
    'a'.repeat(33),
  ])('shows no part that could be a secret: %s', (part) => {
    expect(shortPath({ path: `/apidev/v1/invoces/${part}`, match: undefined })).toBe('/invoces/…');
  });
});

describe('the invoices of a request', () => {
  const named = (sent: unknown) => invoicesIn({ match: undefined, body: Buffer.from(JSON.stringify(sent)) });
  it.each([
    [{ invoice_id: '9001' }, '9001'],
    [{ IdFactura: '9003' }, '9003'],
    [{ declarations: [{ invoice_id: '9001' }, { invoice_id: '9003' }, { invoice_id: '9004' }] }, '9001 +2'],
    [{ Declaraciones: [{ IdFactura: '9001' }, null] }, '9001'],
    [{ invoice_id: 9001 }, undefined],
    [{ invoice_id: 'Demo-2026!' }, undefined],
    [{ invoice_id: '1'.repeat(21) }, undefined],
    [{ declarations: 'x' }, undefined],
    [null, undefined],
    [[], undefined],
    ['9001', undefined],
  ])('named by %j are %j', (sent, shown) => {
    expect(named(sent)).toBe(shown);
  });

  it('may stand in the path', () => {
    const match = { functionId: 'f', resource: '/invoices/{id}', parameters: { id: '9001' } };
    expect(invoicesIn({ match, body: Buffer.of() })).toBe('9001');
  });
});

describe('the reason of a refusal', () => {
  const refusal = (details?: object[]) =>
    reasonIn({
      reply: jsonReply(400, { success: false, error: { code: 'VALIDATION_ERROR', message: 'It is wrong.', details } }),
    });

  it('is the message of the answer, or the faults in it', () => {
    expect(refusal()).toBe('VALIDATION_ERROR: It is wrong.');
    expect(refusal([{ property: 'a', constraints: { type: 'a must be number', minimum: 'a must be > 0' } }])).toBe(
      'VALIDATION_ERROR: a must be number; a must be > 0',
    );
  });

  it('shows five faults, and counts the others', () => {
    const faults = Array.from({ length: 7 }, (_, place) => ({ constraints: { type: `f${place}` } }));
    expect(refusal(faults)).toBe('VALIDATION_ERROR: f0; f1; f2; f3; f4; and 2 more');
  });

  it('quotes no name that was sent', () => {
    const fault = {
      property: 'secret\uFFFD',
      constraints: { unicode: 'secret\uFFFD must be well-formed Unicode text' },
    };
    expect(refusal([fault])).toBe('VALIDATION_ERROR: a text is not well-formed Unicode');
  });

  it('is told of a legacy answer, too, and of none that succeeded', () => {
    const Resultado = { Exito: false, Codigo: 'NOT_FOUND', Mensaje: 'La factura no existe.' };
    expect(reasonIn({ reply: jsonReply(200, { Resultado }) })).toBe('NOT_FOUND: La factura no existe.');
    expect(reasonIn({ reply: jsonReply(200, { Resultado: { ...Resultado, Exito: true } }) })).toBeUndefined();
    expect(reasonIn({ reply: jsonReply(200, { success: true, data: {} }) })).toBeUndefined();
    expect(reasonIn({ reply: { status: 200, headers: {}, body: 'no JSON' } })).toBeUndefined();
  });
});

describe('the log line of a function', () => {
  it('is told from other output', () => {
    for (const text of ['', 'hello', 'null', '1', '{}', '{"level":"INFO"}', '{"level":1,"message":"x"}'])
      expect(parseFunctionLine(text), text).toBeUndefined();
    expect(parseFunctionLine('{"level":"INFO","message":"request"}')).toEqual({ level: 'INFO', message: 'request' });
  });

  it('gives its error with what caused it', () => {
    const error = { name: 'A', message: 'a', cause: { name: 'B', message: 'b', cause: { name: 'C', message: 'c' } } };
    const line = { level: 'ERROR', message: 'request' };
    expect(causesOf({ ...line, error })).toEqual(['A: a', 'caused by B: b', 'caused by C: c']);
    expect(causesOf({ ...line, error: 'text' })).toEqual(['"text"']);
    expect(causesOf(line)).toEqual([]);
  });
});
