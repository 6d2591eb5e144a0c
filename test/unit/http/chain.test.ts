import { expect, it, vi } from 'vitest';
import { validateAmountContract as contract } from '../../../lib/contracts/validate-amount.ts';
import { validateAmount as validate } from '../../../lib/contracts/validators.generated.js';
import { createValidateAmountEndpoint } from '../../../lib/endpoints/validate-amount.ts';
import type { AccessPorts } from '../../../lib/http/check-access.ts';
import * as http from '../../../lib/http/middleware.ts';

// The log line contains the namespace of the metrics, which a function reads from its environment.
vi.hoisted(() => vi.stubEnv('METRICS_NAMESPACE', 'SupplierPortal'));

const endpoint = createValidateAmountEndpoint({ get: async () => null });
const token = http.requireTokenAndKey(() => Promise.reject(new Error('no key')));
const parsed = http.parseInput(http.createBodyReader(), contract, validate);
const loaded = http.loadAccess('read', {} as AccessPorts, endpoint);

const begin = () => http.createChain('test');
const addToken = () => begin().use(http.requireTenant()).use(token);
const addAccessCheck = () => addToken().use(parsed).use(loaded).use(http.checkAccess());

it('a chain compiles with every middleware in the order of the functions', () => {
  addAccessCheck().use(http.requireValidInput()).use(http.readEndpointData(endpoint)).handler(endpoint.respond);
  expect(
    begin()
      .use(http.parseValidInput(http.createBodyReader(), contract, validate))
      .handler(endpointWithoutCaller),
  ).toBeTypeOf('function');
});

it('a chain does not compile if a middleware between the token and the endpoint is missing', () => {
  // @ts-expect-error: requireTenant is missing
  begin().use(token);
  // @ts-expect-error: requireTokenAndKey is missing
  begin().use(http.requireTenant()).use(parsed).use(loaded);
  // @ts-expect-error: parseInput is missing
  addToken().use(loaded);
  // @ts-expect-error: loadAccess is missing
  addToken().use(parsed).use(http.checkAccess());
  // @ts-expect-error: checkAccess is missing
  addToken().use(parsed).use(loaded).use(http.requireValidInput());
  // @ts-expect-error: requireValidInput is missing
  addAccessCheck().use(http.readEndpointData(endpoint));
  // @ts-expect-error: requireValidInput is missing, and the handler reads the input
  addAccessCheck().handler(async (request) => ({ data: { amount: request.input.amount } }));
  // @ts-expect-error: readEndpointData is missing
  expect(() => addAccessCheck().use(http.requireValidInput()).handler(endpoint.respond)).not.toThrow();
});

it('a chain does not compile with its middleware in a wrong order', () => {
  // @ts-expect-error: the token is verified against the tenant
  begin().use(token).use(http.requireTenant());
  // @ts-expect-error: the prefetch needs the input
  addToken().use(loaded).use(parsed);
  // @ts-expect-error: the input is thrown only for an authorised caller
  addToken().use(parsed).use(loaded).use(http.requireValidInput()).use(http.checkAccess());
  // @ts-expect-error: the endpoint reads for a valid input
  expect(() => addAccessCheck().use(http.readEndpointData(endpoint)).use(http.requireValidInput())).not.toThrow();
});

function endpointWithoutCaller({ input }: { readonly input: { readonly amount: number } }) {
  return { data: { amount: input.amount } };
}
