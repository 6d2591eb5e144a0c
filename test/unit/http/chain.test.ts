import { describe, expect, it, vi } from 'vitest';
import { validateAmountContract as contract } from '../../../lib/contracts/validate-amount.ts';
import { validateAmount as validate } from '../../../lib/contracts/validators.generated.js';
import { validateAmount } from '../../../lib/endpoints/validate-amount.ts';
import type { LoadPorts } from '../../../lib/http/check-access.ts';
import * as http from '../../../lib/http/middleware.ts';

// The log line names the metrics' namespace, which a function has in its environment.
vi.hoisted(() => vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'SupplierPortal'));

const endpoint = validateAmount({ get: async () => null });
const token = http.jwt(() => Promise.reject(new Error('no key')));
const parsed = http.parse(http.jsonBody(), contract, validate);
const loaded = http.load('read', {} as LoadPorts, endpoint);

const begin = () => http.responses('test', null);
const identify = () => begin().use(http.tenant()).use(token);
const authorise = () => identify().use(parsed).use(loaded).use(http.checkAccess());

describe('a chain', () => {
  it('compiles with every middleware in the order of the functions', () => {
    authorise().use(http.validInput()).use(http.found(endpoint)).handler(endpoint.respond);
    expect(
      begin()
        .use(http.input(http.jsonBody(), contract, validate))
        .handler(endpointWithoutCaller),
    ).toBeTypeOf('function');
  });

  it('does not compile if a middleware between the token and the endpoint is missing', () => {
    // @ts-expect-error: tenant is missing
    begin().use(token);
    // @ts-expect-error: jwt is missing
    begin().use(http.tenant()).use(parsed).use(loaded);
    // @ts-expect-error: parse is missing
    identify().use(loaded);
    // @ts-expect-error: load is missing
    identify().use(parsed).use(http.checkAccess());
    // @ts-expect-error: checkAccess is missing
    identify().use(parsed).use(loaded).use(http.validInput());
    // @ts-expect-error: validInput is missing
    authorise().use(http.found(endpoint));
    // @ts-expect-error: validInput is missing, and the handler reads the input
    authorise().handler(async (request) => ({ data: { amount: request.input.amount } }));
    // @ts-expect-error: found is missing
    expect(() => authorise().use(http.validInput()).handler(endpoint.respond)).not.toThrow();
  });

  it('does not compile in a wrong order', () => {
    // @ts-expect-error: the token is verified against the tenant
    begin().use(token).use(http.tenant());
    // @ts-expect-error: the prefetch needs the input
    identify().use(loaded).use(parsed);
    // @ts-expect-error: the input is thrown only for an authorised caller
    identify().use(parsed).use(loaded).use(http.validInput()).use(http.checkAccess());
    // @ts-expect-error: the endpoint reads for a valid input
    expect(() => authorise().use(http.found(endpoint)).use(http.validInput())).not.toThrow();
  });
});

function endpointWithoutCaller({ input }: { readonly input: { readonly amount: number } }) {
  return { data: { amount: input.amount } };
}
