import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createRequestLog } from '../../../infra/local/request-log.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';

const request = { requestId: 'id-1', method: 'POST', path: '/apidev/v1/login' };

const respond = (status: number, body = '') => ({ status, headers: {}, body });

function startLog(clock = new VirtualClock(), isTTY = false) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const log = createRequestLog(stream, clock);
  return { log, printed: () => String(stream.read() ?? '') };
}

it('the log prints a request with its duration, and omits the line that its function has logged', () => {
  const { log, printed } = startLog();
  log.printRequest(request, respond(200, '{"code": "X"}'), 4.6);
  expect(printed()).toMatch(/^\d\d:\d\d:\d\d POST \/login 200 5 ms req id-1…\n$/);
  log.printFunctionLine('{"level":"INFO","message":"request","request_id":"id-1","status":200,"duration_ms":1}');
  expect(printed()).toBe('');
});

it('the log prints the code of an error, and the causes of a failure with the request id', () => {
  const { log, printed } = startLog();
  for (const body of ['{"error": {"code": "NOT_FOUND"}}', '{"Resultado":{"Codigo":"NOT_FOUND"}}']) {
    log.printRequest(request, respond(404, body), 5);
    expect(printed()).toMatch(/ 404 NOT_FOUND 5 ms req id-1…\n$/);
  }
  const error = { name: 'A', message: 'a', cause: { name: 'B', message: 'b', cause: { name: 'C', message: 'c' } } };
  log.printFunctionLine(JSON.stringify({ level: 'ERROR', message: 'request', request_id: 'id-1', error }));
  expect(printed()).toMatch(/^\S+ ERROR request A: a, caused by B: b, caused by C: c req id-1…\n$/);
});

it('the log prints the time of the functions and of the machine if their clock was changed', () => {
  const clock = new VirtualClock();
  clock.advance(Date.parse('2101-01-01T00:00:00.500Z') - Date.now());
  const { log, printed } = startLog(clock);
  log.printRequest(request, respond(404), 1);
  expect(printed()).toMatch(/^\d\d:\d\d:\d\d \[clock 2101-01-01T00:00:0\dZ\] POST /);
});

it('the log prints other output of a function without characters that control the terminal or begin a line', () => {
  const { log, printed } = startLog();
  for (const text of ['', 'hello', 'null', '1', '{}', '{"level":"INFO"}', '{"level":1,"message":"x"}']) {
    log.printFunctionLine(text);
    expect(printed()).toBe(`${text}\n`);
  }
  const evil = 'a\u001b[2J\u009b1m\u0007\r\nb\u202e\u2028c';
  log.printFunctionLine(JSON.stringify({ level: 'WARN', message: evil, error: { name: 'Error', message: evil } }));
  log.printFunctionLine(
    JSON.stringify({ level: 'ERROR', message: 'request', request_id: '\r\n\u202e', error: { name: evil } }),
  );
  log.printFunctionLine(`console${evil.replace('\r\n', '')}`);
  log.printRequest({ ...request, method: evil, path: `/${evil}` }, respond(500), 1);
  const lines = printed().trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d WARN a \[2J/);
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

it.each([
  ['/apidev/v1/login', '/login'],
  ['/apidev/v1/supplier-portal/invoices/declare', '/declare'],
  ['/apidev/legacy/WSDeclararFactura', '/legacy/WSDeclararFactura'],
  ['', '/'],
])('the path %s is printed as %s', (path, short) => {
  const { log, printed } = startLog();
  log.printRequest({ ...request, path }, respond(404), 1);
  expect(/ POST (\S+) 404 /.exec(printed())?.[1]).toBe(short);
});
