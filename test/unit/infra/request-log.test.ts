import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RequestLog } from '../../../infra/local/request-log.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';

const request = { requestId: 'id-1', method: 'POST', path: '/apidev/v1/login' };

function newLog(clock = new VirtualClock(), isTTY = false) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const log = new RequestLog(stream, clock, async (tenant, userId) => `${userId} of ${tenant}`);
  const printed = () => String(stream.read() ?? '');
  /** What is printed when a function writes this line for the request. */
  const printedFor = async (line: object) => {
    log.begin(request);
    log.read(JSON.stringify({ message: 'request', request_id: 'id-1', level: 'INFO', duration_ms: 4.6, ...line }));
    await new Promise((resolve) => setImmediate(resolve));
    return printed();
  };
  return { log, printed, printedFor };
}

describe('the log of requests', () => {
  it('prints a request when its function has written its line, and no other line of that message', async () => {
    const { log, printed, printedFor } = newLog();
    expect(await printedFor({ status: 200, tenant: 't', user_id: 'ana' })).toMatch(
      /^\d\d:\d\d:\d\d POST \/login 200 5 ms ana of t req id-1…\n$/,
    );
    log.read('{"level":"INFO","message":"request","request_id":"id-1","status":200,"duration_ms":1}');
    expect(printed()).toBe('');
  });

  it('names the code of an error, and the causes of a failure beneath', async () => {
    const { printedFor } = newLog();
    expect(await printedFor({ status: 400, code: 'VALIDATION_ERROR' })).toMatch(
      / 400 VALIDATION_ERROR 5 ms req id-1…\n$/,
    );
    const error = { name: 'A', message: 'a', cause: { name: 'B', message: 'b', cause: { name: 'C', message: 'c' } } };
    expect(await printedFor({ level: 'ERROR', status: 500, code: 'INTERNAL_ERROR', error })).toMatch(
      /req id-1…\n {2}A: a\n {2}caused by B: b\n {2}caused by C: c\n$/,
    );
  });

  it('shows the time of the functions beside that of the machine when their clock was moved', () => {
    const clock = new VirtualClock();
    clock.advance(Date.parse('2101-01-01T00:00:00.500Z') - Date.now());
    const { log, printed } = newLog(clock);
    log.end(request, { status: 404, milliseconds: 1 });
    expect(printed()).toMatch(/^\d\d:\d\d:\d\d \[clock 2101-01-01T00:00:0\dZ\] POST /);
  });

  it('prints what else a function writes, and lets nothing of it reach the terminal but its words', () => {
    const { log, printed } = newLog();
    log.read('{"level":"WARN","message":"So\\u001b[2J so","error":{"name":"Error","message":"a\\nb"}}');
    expect(printed()).toMatch(/^\d\d:\d\d:\d\d WARN So \[2J so Error: a b\n$/);
    for (const text of ['', 'hello', 'null', '1', '{}', '{"level":"INFO"}', '{"level":1,"message":"x"}']) {
      log.read(text);
      expect(printed()).toBe(`${text}\n`);
    }
    log.read('console\u001b[31m\u202e');
    expect(printed()).toBe('console [31m\n');
  });

  it('lets no sign of a request or its user reach the terminal that moves it, hides text or begins a line', async () => {
    const evil = 'a\u001b[2J\u009b1m\u0007\r\nb\u202e\u2028c';
    const { log, printed, printedFor } = newLog();
    log.end({ ...request, method: evil, path: `/${evil}` }, { status: 500, milliseconds: 1, causes: [evil] });
    const lines = (printed() + (await printedFor({ status: 200, tenant: evil, user_id: evil }))).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it.runIf(process.env['NO_COLOR'] === undefined)('has the colour of its status where styles are shown', () => {
    const { log, printed } = newLog(undefined, true);
    for (const [status, colour] of Object.entries({ 200: 32, 302: 36, 404: 33, 500: 31 })) {
      log.end(request, { status: Number(status), milliseconds: 1 });
      expect(printed()).toContain(`\u001b[${colour}m${status}\u001b[39m`);
    }
  });
});

describe('the path of a request', () => {
  const shown = (path: string) => {
    const { log, printed } = newLog();
    log.end({ ...request, path }, { status: 404, milliseconds: 1 });
    return / POST (\S+) 404 /.exec(printed())?.[1];
  };

  it.each([
    ['/apidev/v1/login', '/login'],
    ['/apidev/v1/supplier-portal/invoices', '/invoices'],
    ['/apidev/v1/supplier-portal/invoices/{id}', '/invoices/{id}'],
    ['/apidev/v1/supplier-portal/invoices/declare-batch', '/declare-batch'],
    ['/apidev/legacy/WSDeclararFactura', '/legacy/WSDeclararFactura'],
    ['/_local/clock', '/_local/clock'],
    ['/apidev/v1/invoces', '/invoces'],
    ['/', '/'],
    ['', '/'],
  ])('of %s is %s', (path, short) => {
    expect(shown(path)).toBe(short);
  });

  it.each([
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiJub3RlcyJ9.c2lnbmF0dXJl',
    '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001',
    'Demo-2026!',
    'hunter2-not-the-password',
    '%1b%5b2J',
    'a'.repeat(33),
  ])('shows no part that could be a secret: %s', (part) => {
    expect(shown(`/apidev/v1/invoces/${part}`)).toBe('/invoces/…');
  });
});
