import { expect, it } from 'vitest';
import { validateAmountContract as contract } from '../../../lib/contracts/validate-amount.ts';
import { validateAmount as validate } from '../../../lib/contracts/validators.generated.js';
import { createValidateAmountEndpoint } from '../../../lib/endpoints/validate-amount.ts';
import { type AccessPorts, checkAccess, loadAccess, requireValidKey } from '../../../lib/http/check-access.ts';
import { requireTenant, requireTokenAndKey } from '../../../lib/http/credentials.ts';
import { parseInput, readBody, requireValidInput } from '../../../lib/http/input.ts';
import { readEndpointData, startPrefetch } from '../../../lib/http/prefetch.ts';
import { createChain } from '../../../lib/http/responses.ts';

const endpoint = createValidateAmountEndpoint({ get: async () => null });
const token = requireTokenAndKey(() => Promise.reject(new Error('no key')));
const parsed = parseInput(readBody, contract, validate);
const prefetched = startPrefetch('read', { isKnownFull: () => false }, endpoint);
const validKey = requireValidKey({} as AccessPorts);
const loaded = loadAccess('read', {} as AccessPorts);

const begin = () => createChain('test');
const addToken = () => begin().use(requireTenant()).use(token);
const addAccessCheck = () => addToken().use(parsed).use(validKey).use(prefetched).use(loaded).use(checkAccess());

it('a chain does not compile if a middleware between the token and the endpoint is missing', () => {
  // @ts-expect-error: requireTenant is missing
  begin().use(token);
  // @ts-expect-error: requireTokenAndKey is missing
  begin().use(requireTenant()).use(parsed).use(validKey);
  // @ts-expect-error: parseInput is missing
  addToken().use(validKey).use(prefetched);
  // @ts-expect-error: requireValidKey is missing
  addToken().use(parsed).use(prefetched);
  // @ts-expect-error: loadAccess is missing
  addToken().use(parsed).use(checkAccess());
  // @ts-expect-error: checkAccess is missing
  addToken().use(parsed).use(validKey).use(loaded).use(requireValidInput());
  // @ts-expect-error: requireValidInput is missing
  addAccessCheck().use(readEndpointData(endpoint));
  // @ts-expect-error: requireValidInput is missing, and the handler reads the input
  addAccessCheck().handler(async (request) => ({ data: { amount: request.input.amount } }));
  const withoutPrefetch = addToken().use(parsed).use(validKey).use(loaded).use(checkAccess()).use(requireValidInput());
  // @ts-expect-error: startPrefetch is missing
  withoutPrefetch.use(readEndpointData(endpoint));
  // @ts-expect-error: readEndpointData is missing
  expect(() => addAccessCheck().use(requireValidInput()).handler(endpoint.respond)).not.toThrow();
});

it('a chain does not compile with its middleware in a wrong order', () => {
  // @ts-expect-error: the token is verified against the tenant
  begin().use(token).use(requireTenant());
  // @ts-expect-error: the prefetch needs the input
  addToken().use(validKey).use(prefetched).use(parsed);
  // @ts-expect-error: the input is thrown only for an authorised caller
  addToken().use(parsed).use(validKey).use(loaded).use(requireValidInput()).use(checkAccess());
  // @ts-expect-error: the endpoint reads for a valid input
  expect(() => addAccessCheck().use(readEndpointData(endpoint)).use(requireValidInput())).not.toThrow();
});
