import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { printFunctionLine, printRequestLine } from '../../../infra/local/request-log.ts';

const request = { requestId: 'id-1', method: 'POST', path: '/apidev/v1/login' };
const respond = (status: number, body = '') => ({ status, headers: {}, body });

/** Returns what a function prints. */
function read(printTo: (stream: PassThrough) => void): string {
  const stream = new PassThrough();
  printTo(stream);
  return String(stream.read() ?? '');
}

it('the line of a request has its duration, and the code of its error', () => {
  const success = respond(200, '{"code": "X"}');
  expect(read((stream) => printRequestLine(request, success, 4.6, stream))).toMatch(
    /^\d\d:\d\d:\d\d POST \/apidev\/v1\/login 200 5 ms req id-1\n$/,
  );
  for (const body of ['{"error": {"code": "NOT_FOUND"}}', '{"Resultado":{"Codigo":"NOT_FOUND"}}'])
    expect(read((stream) => printRequestLine(request, respond(404, body), 5, stream))).toContain(' 404 NOT_FOUND 5 ms');
});

it('a line of a function is printed unless its level is INFO', () => {
  expect(read((stream) => printFunctionLine('{"level":"INFO","message":"request"}', stream))).toBe('');
  for (const text of ['{"level":"ERROR","message":"request"}', 'hello'])
    expect(read((stream) => printFunctionLine(text, stream))).toBe(`${text}\n`);
});

it('the lines contain no characters that control the terminal or begin a line', () => {
  const evil = 'a\u001b[2J\u009b1m\u0007\r\nb\u202e\u2028c';
  const printed = read((stream) => {
    printFunctionLine(evil, stream);
    printRequestLine({ ...request, method: evil, path: `/${evil}` }, respond(500), 1, stream);
  });
  const lines = printed.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});
