import { describe, expect, it } from 'vitest';
import { bodiesOf, runCode, runHandler } from '../../support/processes/run-code.ts';

describe('an invocation', () => {
  it('is answered under its own request id, one after the other, in the same process', async () => {
    const run = await runCode(
      'let count = 0; exports.handler = async ({ name }) => ({ name, count: ++count });',
      {},
      ['a', 'b/ñ ?', 'c'].map((id) => ({
        body: JSON.stringify({ name: `grúa ${id}` }),
        headers: { 'Lambda-Runtime-Aws-Request-Id': encodeURIComponent(id) },
      })),
    );
    expect(run.reports.map(({ path }) => path)).toEqual([
      'invocation/a/response',
      'invocation/b%252F%25C3%25B1%2520%253F/response',
      'invocation/c/response',
    ]);
    expect(bodiesOf(run)).toEqual([
      { name: 'grúa a', count: 1 },
      { name: 'grúa b/ñ ?', count: 2 },
      { name: 'grúa c', count: 3 },
    ]);
  });

  it('has a context with what its headers and the environment say', async () => {
    const now = Date.now();
    const headers = {
      'Lambda-Runtime-Aws-Request-Id': '8476a536-e9f4-11e8-9739-2dfe598c3fcd',
      'Lambda-Runtime-Deadline-Ms': String(now + 60_000),
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:us-east-1:000000000000:function:mine',
    };
    const run = await runHandler('return { ...context, leftMs: context.getRemainingTimeInMillis() };', [
      { body: '{}', headers },
    ]);
    const [{ leftMs, ...context }] = bodiesOf(run);
    expect(context).toMatchObject({
      awsRequestId: headers['Lambda-Runtime-Aws-Request-Id'],
      invokedFunctionArn: headers['Lambda-Runtime-Invoked-Function-Arn'],
      functionName: 'function',
      functionVersion: '$LATEST',
      memoryLimitInMB: '1024',
      logGroupName: '/aws/lambda/function',
      logStreamName: 'stream',
    });
    expect(leftMs).toBeLessThanOrEqual(60_000);
    expect(leftMs).toBeGreaterThan(60_000 - (Date.now() - now) - 1);
  });

  it('has less and less time, and a negative rest when it is over', async () => {
    const run = await runHandler(
      'const before = context.getRemainingTimeInMillis(); await new Promise((done) => setTimeout(done, 60));' +
        'return [before, context.getRemainingTimeInMillis()];',
      [{ body: '{}', headers: { 'Lambda-Runtime-Deadline-Ms': String(Date.now() - 10) } }],
    );
    const [[before, after]] = bodiesOf(run);
    expect(before).toBeLessThan(0);
    expect(after).toBeLessThanOrEqual(before - 50);
  });

  it('has the trace of its own, and none of the one before', async () => {
    const traceId = 'Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=1';
    const run = await runHandler('return process.env._X_AMZN_TRACE_ID ?? "none";', [
      { body: '{}', headers: { 'Lambda-Runtime-Trace-Id': traceId } },
      { body: '{}' },
    ]);
    expect(bodiesOf(run)).toEqual([traceId, 'none']);
  });

  it.each([
    ['nothing', 'return;', null],
    ['null', 'return null;', null],
    ['text', 'return "día 😀";', 'día 😀'],
    ['what has a toJSON', 'return { at: new Date(0) };', { at: '1970-01-01T00:00:00.000Z' }],
  ])('may answer %s', async (_what, body, answer) => {
    expect(bodiesOf(await runHandler(body))).toEqual([answer]);
  });

  it('leaves what the function writes as it is, line by line', async () => {
    const { output } = await runHandler(String.raw`console.log('{"level":"INFO"}'); process.stderr.write('raw\n');`);
    expect(output.split('\n').toSorted()).toEqual(['', 'raw', '{"level":"INFO"}']);
  });
});

describe('a failed invocation', () => {
  it.each([
    ['an error', "throw new RangeError('far');", { errorType: 'RangeError', errorMessage: 'far' }],
    ['text', "throw 'plain';", { errorType: 'string', errorMessage: 'plain', trace: [] }],
    ['nothing', 'throw undefined;', { errorType: 'undefined', errorMessage: 'undefined', trace: [] }],
    ['what has no text', 'throw Object.create(null);', { errorType: 'object', trace: [] }],
    [
      'an error whose name no header can hold',
      "throw Object.assign(new Error('día'), { name: 'a\\nb: ñ' });",
      { errorType: 'a\nb: ñ', errorMessage: 'día' },
    ],
    [
      'an error without a stack',
      "const error = new Error('far'); delete error.stack; throw error;",
      { errorType: 'Error' },
    ],
    ['an answer with a BigInt', 'return { total: 1n };', { errorType: 'Runtime.JSONStringifyError' }],
    ['an answer within itself', 'return context.self = context;', { errorType: 'Runtime.JSONStringifyError' }],
  ])('with %s is reported, and the next one is answered', async (_what, body, description) => {
    const run = await runHandler(`if (event.fails) { ${body} } return 'well';`, [
      { body: '{"fails": true}', headers: { 'Lambda-Runtime-Aws-Request-Id': 'first' } },
      { body: '{}', headers: { 'Lambda-Runtime-Aws-Request-Id': 'second' } },
    ]);
    expect(run).toMatchObject({
      reports: [
        { path: 'invocation/first/error', body: description },
        { path: 'invocation/second/response', body: 'well' },
      ],
      code: null,
    });
    expect(run.output).not.toBe('');
  });

  it('says where it failed, to Lambda and in the log', async () => {
    const { reports, output } = await runHandler("throw new RangeError('far');");
    expect(reports[0]?.body.trace).toEqual(expect.arrayContaining([expect.stringContaining('index.js')]));
    expect(reports[0]?.headers).toMatchObject({ 'lambda-runtime-function-error-type': 'RangeError' });
    expect(output).toContain('RangeError: far');
  });

  it('may be one whose event is no JSON', async () => {
    const run = await runHandler("return 'well';", [{ body: '{' }, { body: '{}' }]);
    expect(run.reports).toMatchObject([{ body: { errorType: 'SyntaxError' } }, { body: 'well' }]);
  });
});
