import { beforeAll, describe, expect, it } from 'vitest';
import { engineEnvironment } from '../../../infra/local/engine-client.ts';
import { demoAccount } from '../../../infra/openapi/demo-account.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import { logIn } from '../../../infra/openapi/sample-requests.ts';
import { type SampleEvent, sampleEvents } from '../../../infra/local/sam/sample-events.ts';
import { useLocalService } from '../../support/service/local-service.ts';
import { runOnce } from '../../support/processes/runtime-interface.ts';
import { expectSuccess, sampleNames } from '../../support/answers/sample-answers.ts';

describe('in a process as Lambda starts it', { tags: 'long' }, () => {
  const stack = readStack();
  const service = useLocalService();
  let events: Map<string, SampleEvent>;
  beforeAll(async () => {
    const samples = sampleEvents(stack, demoAccount, await logIn(service.url, demoAccount));
    events = new Map(samples.map((sample) => [sample.name, sample]));
  });

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
