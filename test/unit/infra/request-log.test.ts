import { expect, it, onTestFinished, vi } from 'vitest';
import { printFunctionLine, printRequestLine } from '../../../infra/local/request-log.ts';

const request = { requestId: 'id-1', method: 'POST', path: '/declare' };
const respond = (status: number, body: object | string = '') => {
  return { status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) };
};

/** Returns what a function prints. */
function readOutput(print: () => void): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  print();
  return write.mock.calls.splice(0).join('');
}

const invalidProperties = [{ property: 'amount', constraints: {} }, { property: 'declarations[1].notes' }];

it.each([
  ['a success', respond(200, { success: true, data: { code: 'X' } }), '200'],
  [
    'an error with its properties',
    respond(400, { success: false, error: { code: 'VALIDATION_ERROR', details: invalidProperties } }),
    '400 VALIDATION_ERROR invalid amount, declarations[1].notes',
  ],
  [
    'a legacy error, whose status is 200',
    respond(200, { Resultado: { Exito: false, Codigo: 'NOT_FOUND' } }),
    '200 NOT_FOUND',
  ],
])('the line of a request describes %s', (_, response, words) => {
  const line = readOutput(() => printRequestLine(request, response, 4.6));
  expect(line.replace(/^\d\d:\d\d:\d\d /, '')).toBe(`POST /declare ${words} 5 ms req id-1\n`);
});

it('a line of a function is printed unless its level is INFO', () => {
  expect(readOutput(() => printFunctionLine('{"level":"INFO","message":"request"}'))).toBe('');
  for (const line of ['{"level":"ERROR","message":"request"}', 'hello'])
    expect(readOutput(() => printFunctionLine(line))).toBe(`${line}\n`);
});

it('the lines contain no characters that control the terminal or begin a line', () => {
  const evil = 'a\u001b[2J\u009b1m\u0007\r\nb\u202e\u2028c';
  const printed = readOutput(() => {
    printFunctionLine(evil);
    printRequestLine({ ...request, method: evil, path: `/${evil}` }, respond(500), 1);
  });
  const lines = printed.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});
