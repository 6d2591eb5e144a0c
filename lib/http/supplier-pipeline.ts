import type { Caller } from '../auth/access-rules.ts';
import type { TokenParties } from '../auth/tokens.ts';
import type { FindKey } from '../auth/verified-tokens.ts';
import type { Contract, Validator } from '../contracts/contract.ts';
import type { AccessKind } from '../domain/directory.ts';
import { PORTAL_POLICIES } from '../rate-limit/policies.ts';
import type { Clock } from '../runtime/clock.ts';
import { authenticate } from './authenticate.ts';
import { type AccessPorts, authorize } from './authorize.ts';
import { type Pipeline, pipeline } from './pipeline.ts';
import { readInput } from './read-input.ts';
import type { RequestState } from './request-state.ts';
import { requireTenant } from './require-tenant.ts';
import { requireUnicode } from './require-unicode.ts';
import { envelopeFormat } from './response.ts';

/** What every supplier endpoint needs from its surroundings. */
export interface SupplierPorts {
  readonly tokens: { readonly publicKeys: FindKey; readonly parties: TokenParties };
  readonly access: AccessPorts;
  readonly clock: Clock;
}

/** A request that has passed every check, with its valid input. */
export type SupplierRequest<Input> = RequestState & { readonly caller: Caller; readonly input: Input };

/** The checks of every supplier endpoint, in the order of the interface. */
export function supplierPipeline<Name extends string, Input>(
  contract: Contract & { readonly name: Name; readonly access: AccessKind },
  validate: Validator<NoInfer<Name>, Input>,
  { tokens, access, clock }: SupplierPorts,
): Pipeline<SupplierRequest<Input>> {
  const policy = PORTAL_POLICIES[contract.access];
  return pipeline({ name: contract.name, policy, format: envelopeFormat, clock })
    .use(requireTenant())
    .use(authenticate(tokens.publicKeys, tokens.parties))
    .use(authorize(contract.access, access))
    .use(requireUnicode())
    .use(readInput(contract, validate));
}
