import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../../infra/local/logs/read-lines.ts';
import { RequestLog } from '../../../infra/local/logs/request-log.ts';
import { jsonReply } from '../../../infra/local/reply.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';

const match = { functionId: 'login12345678', resource: '/apidev/v1/login', parameters: {} };
const exchange = { method: 'POST', path: '/apidev/v1/login', match, body: Buffer.of(), durationMs: 5 };
const failure = jsonReply(500, { success: false, error: { code: 'INTERNAL_ERROR', message: 'It failed.' } });

function newLog() {
  const stream = new PassThrough();
  const log = new RequestLog(stream, new VirtualClock(), async (tenant, userId) => `${userId} of ${tenant}`);
  return { log, printed: () => String(stream.read() ?? '') };
}

describe('the log of requests', () => {
  it('waits for the line of the function, which comes another way', async () => {
    const { log, printed } = newLog();
    const end = log.begin('id-1')({ ...exchange, requestId: 'id-1', reply: jsonReply(200, {}) });
    log.read('{"level":"INFO","message":"request","request_id":"id-2","tenant":"t","user_id":"eve"}');
    log.read('{"level":"INFO","message":"request","request_id":"id-1","tenant":"t","user_id":"ana"}');
    await end;
    expect(printed()).toMatch(/^\S+ POST \/login 200 5 ms ana of t req id-1…\n$/);
    log.read('{"level":"INFO","message":"request","request_id":"id-1","tenant":"t","user_id":"ana"}');
    expect(printed()).toBe('');
  });

  it('says so when a function has failed without a line', async () => {
    const { log, printed } = newLog();
    await log.begin('id-1')({ ...exchange, requestId: 'id-1', reply: failure });
    expect(printed()).toMatch(
      /^\S+ POST \/login 500 5 ms req id-1…\n {2}INTERNAL_ERROR: It failed\.\n {2}Its function has ended early, .+\n$/,
    );
  });

  it('prints what else a function writes, and lets nothing of it reach the terminal but its words', () => {
    const { log, printed } = newLog();
    log.read('{"level":"WARN","message":"So\\u001b[2J so","error":{"name":"Error","message":"a\\nb"}}');
    expect(printed()).toMatch(/^\d\d:\d\d:\d\d WARN So \[2J so Error: a b\n$/);
    log.read('console\u001b[31m\u202e');
    expect(printed()).toBe('console [31m\n');
  });
});

describe('the lines of a stream', () => {
  it('are handed on whole, wherever its parts end, and broken by line feeds only', async () => {
    const stream = new PassThrough();
    const lines: string[] = [];
    readLines(stream, (line) => lines.push(line));
    const bytes = Buffer.from('a\u2028ñ\nb\n\nrest');
    for (const byte of bytes) stream.write(Buffer.of(byte));
    await new Promise((resolve) => stream.end(resolve));
    expect(lines).toEqual(['a\u2028ñ', 'b', '']);
  });
});
