import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineEnvironment } from '../../infra/local/client.ts';
import { demoAccount } from '../../infra/local/demo.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { logIn } from '../../infra/local/demo-log-in.ts';
import { type SampleEvent, sampleEvents } from '../../infra/sam/sample-events.ts';
import { startLocalService } from '../support/local-service.ts';
import { runOnce } from '../support/runtime-interface.ts';
import { expectSuccess, sampleNames } from '../support/sample-answers.ts';

describe('in the runtime interface client of AWS', () => {
  const stack = readStack();
  let service: LocalService;
  let events: Map<string, SampleEvent>;
  beforeAll(async () => {
    service = await startLocalService({ demo: true });
    const samples = await sampleEvents(stack, demoAccount, await logIn(service.url, demoAccount));
    events = new Map(samples.map((sample) => [sample.name, sample]));
  });
  afterAll(() => service.close());

  it.each(sampleNames)('the bundle answers %s', async (name) => {
    const { functionId, event } = events.get(name)!;
    const { environment, ...bundle } = stack.functions.find(({ id }) => id === functionId)!;
    const engine = engineEnvironment(service.endpoint);
    const { path, body } = await runOnce({ ...bundle, environment: { ...environment, ...engine } }, event);
    expect(path, JSON.stringify(body)).toMatch(/^invocation\/[0-9a-f-]{36}\/response$/);
    expectSuccess(name, event, body);
  });

  it('each function of the stack has run', () => {
    const own = [...stack.routes.map(({ functionId }) => functionId), stack.rotationFunctionId];
    const run = [...events.values()].map(({ functionId }) => functionId);
    expect([...new Set(run)].toSorted()).toEqual([...new Set(own)].toSorted());
  });
});

describe('a bundle that Lambda would not run', () => {
  let codeDirectory: string;
  beforeAll(async () => {
    codeDirectory = await mkdtemp(join(tmpdir(), 'bundle-'));
  });
  afterAll(() => rm(codeDirectory, { recursive: true }));

  it.each([
    ['that needs a module it does not hold', "require('not-bundled');", 'Runtime.ImportModuleError'],
    ['that is no JavaScript', 'export const = ;', 'Runtime.UserCodeSyntaxError'],
    ['that throws while it loads', "throw new TypeError('no table');", 'TypeError'],
    ['without the handler', 'exports.main = async () => {};', 'Runtime.HandlerNotFound'],
    [
      'with a callback handler',
      'exports.handler = (event, context, callback) => callback();',
      'Runtime.CallbackHandlerDeprecated',
    ],
  ])('%s is reported, not answered', async (_, code, errorType) => {
    await writeFile(join(codeDirectory, 'index.js'), code);
    const report = await runOnce({ codeDirectory, handler: 'index.handler', environment: {} }, {});
    expect(report).toMatchObject({ path: 'init/error', body: { errorType } });
  });

  it('reports what a handler throws', async () => {
    await writeFile(join(codeDirectory, 'index.js'), "exports.handler = async () => { throw new RangeError('far'); };");
    const report = await runOnce({ codeDirectory, handler: 'index.handler', environment: {} }, {});
    expect(report.path).toMatch(/^invocation\/.+\/error$/);
    expect(report.body).toMatchObject({ errorType: 'RangeError', errorMessage: 'far' });
  });
});
