import { describe, expect, it, vi } from 'vitest';
import { validateAmountContract as contract } from '../../../lib/contracts/validate-amount.ts';
import { validateAmount as validate } from '../../../lib/contracts/validators.generated.js';
import { validateAmount } from '../../../lib/endpoints/validate-amount.ts';
import type { LoadPorts } from '../../../lib/http/check-access.ts';
import * as http from '../../../lib/http/middleware.ts';

// The log line contains the namespace of the metrics, which a function reads from its environment.
vi.hoisted(() => vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'SupplierPortal'));

const endpoint = validateAmount({ get: async () => null });
const token = http.jwt(() => Promise.reject(new Error('no key')));
const parsed = http.parse(http.jsonBody(), contract, validate);
const loaded = http.load('read', {} as LoadPorts, endpoint);

const begin = () => http.responses('test', null);
const addToken = () => begin().use(http.tenant()).use(token);
const addAccessCheck = () => addToken().use(parsed).use(loaded).use(http.checkAccess());

describe('the types of a chain', () => {
  it('a chain compiles with every middleware in the order of the functions', () => {
    addAccessCheck().use(http.validInput()).use(http.found(endpoint)).handler(endpoint.respond);
    expect(
      begin()
        .use(http.input(http.jsonBody(), contract, validate))
        .handler(endpointWithoutCaller),
    ).toBeTypeOf('function');
  });

  it('a chain does not compile if a middleware between the token and the endpoint is missing', () => {
    // @ts-expect-error: tenant is missing
    begin().use(token);
    // @ts-expect-error: jwt is missing
    begin().use(http.tenant()).use(parsed).use(loaded);
    // @ts-expect-error: parse is missing
    addToken().use(loaded);
    // @ts-expect-error: load is missing
    addToken().use(parsed).use(http.checkAccess());
    // @ts-expect-error: checkAccess is missing
    addToken().use(parsed).use(loaded).use(http.validInput());
    // @ts-expect-error: validInput is missing
    addAccessCheck().use(http.found(endpoint));
    // @ts-expect-error: validInput is missing, and the handler reads the input
    addAccessCheck().handler(async (request) => ({ data: { amount: request.input.amount } }));
    // @ts-expect-error: found is missing
    expect(() => addAccessCheck().use(http.validInput()).handler(endpoint.respond)).not.toThrow();
  });

  it('a chain does not compile with its middleware in a wrong order', () => {
    // @ts-expect-error: the token is verified against the tenant
    begin().use(token).use(http.tenant());
    // @ts-expect-error: the prefetch needs the input
    addToken().use(loaded).use(parsed);
    // @ts-expect-error: the input is thrown only for an authorised caller
    addToken().use(parsed).use(loaded).use(http.validInput()).use(http.checkAccess());
    // @ts-expect-error: the endpoint reads for a valid input
    expect(() => addAccessCheck().use(http.found(endpoint)).use(http.validInput())).not.toThrow();
  });
});

function endpointWithoutCaller({ input }: { readonly input: { readonly amount: number } }) {
  return { data: { amount: input.amount } };
}
