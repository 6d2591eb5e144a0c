import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LogAttributes, Logger } from '../../../lib/runtime/logger.ts';
import { useDate } from '../../support/setup/use-date.ts';

const NOW = '2026-07-01T12:00:00.000Z';
useDate(Date.parse(NOW));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Returns what a logger of this level writes to each stream. */
async function readLog(log: (logger: Logger) => void, level = 'INFO') {
  vi.stubEnv('SERVICE_NAME', 'Portal');
  vi.stubEnv('LOG_LEVEL', level);
  vi.resetModules();
  const loggerModule = await import('../../../lib/runtime/logger.ts');
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true));
  log(new loggerModule.Logger({ request_id: 'request-1' }));
  const [stdout = '', stderr = ''] = spies.map(({ mock }) => mock.calls.map(([text]) => String(text)).join(''));
  vi.restoreAllMocks();
  return { stdout, stderr };
}

/** Logs a thrown value, and returns the attribute `error` of the line. */
async function logError(error: unknown): Promise<LogAttributes> {
  const { stderr } = await readLog((logger) => logger.error('request', { error }));
  return JSON.parse(stderr).error;
}

describe('a log line', () => {
  it('a log line is JSON on one line: level, message, time, service, common attributes, own attributes', async () => {
    const { stdout, stderr } = await readLog((logger) => logger.info('re\nquest', { status: 200, code: undefined }));
    const head = `{"level":"INFO","message":"re\\nquest","timestamp":"${NOW}","service":"Portal"`;
    expect([stdout, stderr]).toEqual([`${head},"request_id":"request-1","status":200}\n`, '']);
  });

  it.each([
    ['info', ['INFO'], ['WARN', 'ERROR']],
    ['WARN', [], ['WARN', 'ERROR']],
    ['ERROR', [], ['ERROR']],
    ['SILENT', [], []],
    ['anything', ['INFO'], ['WARN', 'ERROR']],
  ])(
    'a log line is written if its level is at least that of the environment, %s, and to stderr if it is a warning',
    async (level, plain, warnings) => {
      const { stdout, stderr } = await readLog((logger) => {
        for (const name of ['info', 'warn', 'error'] as const) logger[name]('line', {});
      }, level);
      const levels = (text: string) => [...text.matchAll(/"level":"(\w+)"/g)].map(([, found]) => found);
      expect([levels(stdout), levels(stderr)]).toEqual([plain, warnings]);
    },
  );

  it('a log line contains name, message, stack and causes of an error, and no other property of it', async () => {
    const cause = Object.assign(new TypeError('inner'), { Item: 'of a supplier' });
    const error = Object.assign(new Error('outer', { cause }), { $response: 'of a supplier' });
    expect(await logError(error)).toEqual({
      name: 'Error',
      message: 'outer',
      stack: error.stack,
      cause: { name: 'TypeError', message: 'inner', stack: cause.stack },
    });
  });

  it('a log line contains a circular cause only once, and a thrown value that is not an error', async () => {
    const error = new Error('first');
    error.cause = new Error('second', { cause: error });
    expect(await logError(error)).toMatchObject({ message: 'first', cause: { message: 'second' } });
    expect([await logError('text'), await logError(null), await logError(undefined)]).toEqual([
      'text',
      null,
      undefined,
    ]);
  });

  const circle: { self?: object } = {};
  circle.self = circle;
  it.each([
    ['a BigInt', { count: 1n }],
    ['a circular value that was thrown', { error: circle }],
  ])('a log line names the attributes that cannot be written, and does not fail: %s', async (_, attributes) => {
    const { stderr } = await readLog((logger) => logger.error('request', attributes));
    const head = { level: 'ERROR', message: 'request', timestamp: NOW, service: 'Portal', request_id: 'request-1' };
    expect(JSON.parse(stderr)).toEqual({ ...head, unwritable: Object.keys(attributes) });
  });
});
