import { describe, expect, it } from 'vitest';
import { bodiesOf, runCode } from '../../support/processes/run-code.ts';

describe('a handler', () => {
  it.each([
    ['index.mjs', 'export const handler = async () => "found";', 'index.handler'],
    ['index.cjs', 'exports.handler = async () => "found";', 'index.handler'],
    ['index.js', 'module.exports = { handler: async () => "found" };', 'index.handler'],
    ['index.js', 'module.exports = ((found) => found)({ main: () => "found" });', 'index.main'],
  ])('is found in %s: %s', async (file, code, handler) => {
    expect(bodiesOf(await runCode(code, { file, handler }))).toEqual(['found']);
  });

  it.each([
    ['whose file is not there', { handler: 'other.handler' }, '', 'Runtime.ImportModuleError'],
    ['without a name', { handler: 'index' }, '', 'Runtime.MalformedHandlerName'],
    ['outside of the bundle', { handler: '../index.handler' }, '', 'Runtime.MalformedHandlerName'],
    ['that is not exported', {}, 'exports.main = async () => {};', 'Runtime.HandlerNotFound'],
    ['that is no function', {}, "exports.handler = 'text';", 'Runtime.HandlerNotFound'],
    ['that lacks a module', {}, "require('not-bundled');", 'Runtime.ImportModuleError'],
    ['that is no JavaScript', {}, 'export const = ;', 'Runtime.UserCodeSyntaxError'],
    ['that throws while it loads', {}, "throw new TypeError('no table');", 'TypeError'],
    [
      'with a callback',
      {},
      'exports.handler = (event, context, callback) => callback();',
      'Runtime.CallbackHandlerDeprecated',
    ],
    [
      'that is asynchronous, with a callback',
      {},
      'exports.handler = async (event, context, callback) => callback();',
      'Runtime.CallbackHandlerDeprecated',
    ],
  ])('%s is reported before the first event, and the process ends', async (_what, bundle, code, errorType) => {
    const run = await runCode(code, bundle);
    expect(run).toMatchObject({
      reports: [{ path: 'init/error', body: { errorType, errorMessage: expect.any(String) } }],
    });
    expect(run.reports[0]?.headers).toMatchObject({ 'lambda-runtime-function-error-type': errorType });
    expect(run.code).toBeGreaterThan(0);
    expect(run.output).toContain(run.reports[0]?.body.errorMessage);
  });
});
