import { expect, it } from 'vitest';
import { hashApiKey } from '../../../lib/access/access-rules.ts';
import type { PortalRequest } from '../../../lib/http/chain.ts';
import { jwt } from '../../../lib/http/access.ts';
import { aRequest } from '../../support/service/request-state.ts';

const identity = { tenant: 'a.example', userId: '77', companyId: '5', supplierId: '9' };
const session = { issuedAtSeconds: 1, tokensNotBeforeMs: 0 };
const KEY = '0B1F7A3E-6C1D-4E0A-9C38-0F6B7D3B9A11';

/** Runs the middleware for a valid token and this API key; returns the state of the request, and the error if any. */
async function run(apiKey: string) {
  const state = { ...aRequest({}), tenant: 'a.example' };
  const request = { event: { headers: { 'X-Api-Key': apiKey }, state } } as unknown as PortalRequest;
  const middleware = jwt(async () => ({ identity, session }));
  const error: unknown = await (middleware.before!(request as never) as Promise<void>).catch(
    (thrown: unknown) => thrown,
  );
  return { state, error };
}

it('jwt adds the user, the session and the hash of the API key', async () => {
  const { state, error } = await run(KEY);
  expect(error).toBeUndefined();
  expect(state).toMatchObject({ identity, session, apiKeyHash: hashApiKey(KEY) });
});

it('jwt rejects a text that cannot be an API key, and keeps the user for the log line', async () => {
  const { state, error } = await run('unknown');
  expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(state).toMatchObject({ identity });
});
