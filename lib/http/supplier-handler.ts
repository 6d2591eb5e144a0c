import { PORTAL_POLICIES } from '../domain/policies.ts';
import type { SlidingWindow } from '../access/sliding-window.ts';
import type { VerifyToken } from '../access/tokens.ts';
import type { Validator } from '../contracts/contract.ts';
import type { AccessKind } from '../domain/directory.ts';
import type { PrefetchingEndpoint } from '../endpoints/endpoint.ts';
import type { ProxyHandler } from './chain.ts';
import { type AccessPorts, checkAccess, loadAccess, requireValidKey } from './check-access.ts';
import { requireTenant, requireTokenAndKey } from './credentials.ts';
import { type NamedContract, parseInput, type ReadInput, requireValidInput } from './input.ts';
import { readEndpointData, startPrefetch } from './prefetch.ts';
import { createChain } from './responses.ts';

/** The parts of a supplier endpoint, and the ports that check the access to it. */
interface SupplierHandlerParts<Name extends string, Input, Found> {
  readonly contract: NamedContract<Name> & { readonly access: AccessKind };
  readonly read: ReadInput;
  readonly validate: Validator<NoInfer<Name>, Input>;
  readonly endpoint: PrefetchingEndpoint<Input, Found>;
  readonly ports: AccessPorts & { readonly verifyToken: VerifyToken; readonly limiter: SlidingWindow };
}

/**
 * Creates the Lambda handler of a supplier endpoint. It starts to read the endpoint's data before the access check, but
 * uses them only afterwards. It also reports an invalid input only after the access check, so that a caller without
 * access learns nothing.
 */
export function createSupplierHandler<Name extends string, Input, Found>({
  contract,
  read,
  validate,
  endpoint,
  ports,
}: SupplierHandlerParts<Name, Input, Found>): ProxyHandler {
  const { name, access } = contract;
  return createChain(name, { limit: PORTAL_POLICIES[access] })
    .use(requireTenant())
    .use(requireTokenAndKey(ports.verifyToken))
    .use(parseInput(read, contract, validate))
    .use(requireValidKey(ports))
    .use(startPrefetch(access, ports.limiter, endpoint))
    .use(loadAccess(access, ports))
    .use(checkAccess())
    .use(requireValidInput())
    .use(readEndpointData(endpoint))
    .handler(endpoint.respond);
}
