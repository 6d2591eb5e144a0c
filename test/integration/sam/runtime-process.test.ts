import { describe, expect, it } from 'vitest';
import { once, runCode, runHandler } from '../../support/processes/run-code.ts';

describe('a process', () => {
  it.each([
    ['an exception', "throw new RangeError('late');", 'RangeError', 'late', 129],
    [
      'a rejection',
      "Promise.reject(new RangeError('late'));",
      'Runtime.UnhandledPromiseRejection',
      'RangeError: late',
      128,
    ],
    ['a rejection without a reason', 'Promise.reject();', 'Runtime.UnhandledPromiseRejection', 'undefined', 128],
  ])('reports %s that nobody handles, and ends', async (_what, fault, errorType, errorMessage, code) => {
    const run = await runHandler(`await new Promise(() => setTimeout(() => { ${fault} }, 1));`, [...once, ...once]);
    expect(run).toMatchObject({ reports: [{ body: { errorType, errorMessage } }], code });
    expect(run.reports[0]?.path).toMatch(/^invocation\/.+\/error$/);
    expect(run.output).toContain(errorMessage);
  });

  it('does not answer beside such a report', async () => {
    const run = await runHandler("Promise.reject(new RangeError('nobody waits')); return 'well';", once, {
      reportMs: 200,
    });
    expect(run).toMatchObject({ reports: [{ body: { errorMessage: 'RangeError: nobody waits' } }], code: 128 });
  });

  it('ends over such a fault between two invocations too, of which there is nobody to tell', async () => {
    const run = await runHandler("setTimeout(() => { throw new RangeError('late'); }, 100); return 'well';", once, {
      untilItEnds: true,
    });
    expect(run).toMatchObject({ reports: [{ body: 'well' }], code: 129 });
    expect(run.output).toContain('RangeError: late');
  });

  it.each([
    [
      'that throws later',
      "setTimeout(() => { throw new RangeError('late'); }, 1); await new Promise(() => {});",
      'RangeError',
      129,
    ],
    [
      'that rejects',
      "Promise.reject(new RangeError('late')); await new Promise(() => {});",
      'Runtime.UnhandledPromiseRejection',
      128,
    ],
  ])('is reported before its first event when it loads a module %s', async (_what, code, errorType, exitCode) => {
    const run = await runCode(`${code} export const handler = async () => {};`, { file: 'index.mjs' });
    expect(run).toMatchObject({ reports: [{ path: 'init/error', body: { errorType } }], code: exitCode });
  });

  it('ends when Lambda cannot take its answer', async () => {
    const { code, reports, output } = await runHandler("return 'well';", [...once, ...once], { status: 500 });
    expect(reports).toHaveLength(1);
    expect(code).toBeGreaterThan(0);
    expect(output).toContain('500');
  });

  it('goes on when Lambda refuses an answer that is too large', async () => {
    const run = await runHandler("return 'large';", [...once, ...once], { status: 413 });
    expect(run).toMatchObject({ reports: [{ body: 'large' }, { body: 'large' }], code: null });
  });

  it('ends when an event has no deadline', async () => {
    const run = await runHandler("return 'well';", [{ body: '{}', headers: { 'Lambda-Runtime-Deadline-Ms': 'soon' } }]);
    expect(run.reports).toEqual([]);
    expect(run.code).toBeGreaterThan(0);
  });
});
