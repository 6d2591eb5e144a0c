import type { Contract, Validator } from '../contracts/contract.ts';
import type { LoginGuard } from '../rate-limit/login-guard.ts';
import { LOGIN_POLICY } from '../rate-limit/policies.ts';
import type { Clock } from '../runtime/clock.ts';
import { apiKeyHashOf } from './headers.ts';
import { showLoginBlock } from './login-block.ts';
import { type Pipeline, pipeline } from './pipeline.ts';
import { adding } from './middleware.ts';
import { readInput } from './read-input.ts';
import type { RequestState } from './request-state.ts';
import { requireTenant } from './require-tenant.ts';
import { requireUnicode } from './require-unicode.ts';
import { envelopeFormat } from './response.ts';

/** A request that needs no token, with its tenant, the hash of the API key that it may carry, and its valid input. */
export type LoginRequest<Input> = RequestState & {
  readonly tenant: string;
  readonly apiKeyHash: string | null;
  readonly input: Input;
};

/** The checks of the login, which needs no token. */
export function loginPipeline<Name extends string, Input>(
  contract: Contract & { readonly name: Name },
  validate: Validator<NoInfer<Name>, Input>,
  { guards, clock }: { readonly guards: Pick<LoginGuard, 'look'>; readonly clock: Clock },
): Pipeline<LoginRequest<Input>> {
  return pipeline({ name: contract.name, policy: LOGIN_POLICY, format: envelopeFormat, clock })
    .use(showLoginBlock(guards, { tellsFailures: true }))
    .use(requireTenant())
    .use(adding(({ event }) => ({ apiKeyHash: apiKeyHashOf(event) })))
    .use(requireUnicode())
    .use(readInput(contract, validate));
}
