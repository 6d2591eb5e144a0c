import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { printFunctionLine, printRequestLine } from '../../../infra/local/request-log.ts';

const call = { requestId: 'id-1', method: 'POST', path: '/declare', match: undefined, body: Buffer.from('') };
const respond = (status: number, body: object | string = '') => {
  return { status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) };
};

/** Returns what a function prints. */
function read(printTo: (stream: PassThrough) => void): string {
  const stream = new PassThrough();
  printTo(stream);
  return String(stream.read() ?? '');
}

const rejectItem = (invoice_id: string, code: string, property?: string) => {
  const error = { code, message: 'No.', ...(property && { details: [{ property, constraints: {} }] }) };
  return { invoice_id, success: false, error };
};
const legacyItem = { IdFactura: '9008', Exito: false, Error: { Codigo: 'NOT_FOUND', Mensaje: 'No.' } };

it.each([
  ['a success', '', respond(200, { success: true, data: { code: 'X' } }), '200'],
  [
    'an error with its properties and the invoice',
    '{"invoice_id": "9001", "amount": -1}',
    respond(400, {
      success: false,
      error: {
        code: 'VALIDATION_ERROR',
        details: [
          { property: 'amount', constraints: {} },
          { property: 'tax_pct', constraints: {} },
        ],
      },
    }),
    '400 VALIDATION_ERROR invoice 9001 invalid amount, tax_pct',
  ],
  [
    'a legacy error, whose status is 200',
    '{"IdFactura":9001}',
    respond(200, { Resultado: { Exito: false, Codigo: 'NOT_FOUND' } }),
    '200 NOT_FOUND invoice 9001',
  ],
  [
    'a batch with its rejected items, but without a text in place of an id',
    '{"declarations":[{"invoice_id":"9008"},{"invoice_id":"secret1"}]}',
    respond(200, {
      success: true,
      data: {
        results: [
          rejectItem('9008', 'NOT_FOUND'),
          rejectItem('secret1', 'VALIDATION_ERROR', 'declarations[1].invoice_id'),
        ],
      },
    }),
    '200 invoice 9008 rejected 9008 NOT_FOUND, VALIDATION_ERROR invalid declarations[1].invoice_id',
  ],
  [
    'a legacy batch',
    '',
    respond(200, { Resultado: { Exito: true, Codigo: 'OK' }, Resultados: [legacyItem] }),
    '200 rejected 9008 NOT_FOUND',
  ],
])('the line of a request describes %s', (_, body, response, words) => {
  const line = read((stream) => printRequestLine({ ...call, body: Buffer.from(body) }, response, 4.6, stream));
  expect(line.replace(/^\d\d:\d\d:\d\d /, '')).toBe(`POST /declare ${words} 5 ms req id-1\n`);
});

it.each([
  ['9001', '/invoices/9001'],
  ['secret1', '/invoices/{id}'],
])('the line of a request contains the id %s in its path as %s', (id, path) => {
  const match = { functionId: 'Get', resource: '/invoices/{id}', parameters: { id } };
  const get = { ...call, match, path: `/invoices/${id}` };
  expect(read((stream) => printRequestLine(get, respond(200), 1, stream))).toContain(` ${path} 200 `);
});

it('a line of a function is printed unless its level is INFO, and its user is in the line of the request', () => {
  const line = '{"level":"INFO","message":"request","request_id":"id-1","tenant":"demo.example","user_id":"100"}';
  expect(read((stream) => printFunctionLine(line, stream))).toBe('');
  expect(read((stream) => printRequestLine(call, respond(200), 1, stream))).toContain(
    ' 200 user demo.example/100 1 ms',
  );
  expect(read((stream) => printRequestLine(call, respond(200), 1, stream))).not.toContain('user');
  for (const text of ['{"level":"ERROR","message":"request"}', 'hello'])
    expect(read((stream) => printFunctionLine(text, stream))).toBe(`${text}\n`);
});

it('the lines contain no characters that control the terminal or begin a line', () => {
  const evil = 'a\u001b[2J\u009b1m\u0007\r\nb\u202e\u2028c';
  const printed = read((stream) => {
    printFunctionLine(evil, stream);
    printRequestLine({ ...call, method: evil, path: `/${evil}` }, respond(500), 1, stream);
  });
  const lines = printed.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});
