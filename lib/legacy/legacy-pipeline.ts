import type { legacyDispatchContract } from '../contracts/legacy-dispatch.ts';
import { ServiceError } from '../domain/errors.ts';
import { unknownOperation } from '../domain/texts.ts';
import { showLoginBlock } from '../http/login-block.ts';
import { adding, type PortalMiddleware } from '../http/middleware.ts';
import { type Pipeline, pipeline } from '../http/pipeline.ts';
import type { RequestState } from '../http/request-state.ts';
import { requireUnicode } from '../http/require-unicode.ts';
import type { SupplierRequest } from '../http/supplier-pipeline.ts';
import { PORTAL_POLICIES } from '../rate-limit/policies.ts';
import { rateStatus } from '../rate-limit/rate-status.ts';
import type { Clock } from '../runtime/clock.ts';
import { authorizeByBody, type LegacyPorts } from './authorize-by-body.ts';
import type { LegacyOperation, LegacyOperations } from './operations.ts';
import { readWholeBody } from './read-whole-body.ts';
import { resultadoFormat } from './resultado.ts';

// Not read from the contract: the bundle would have all its texts.
const NAME: typeof legacyDispatchContract.name = 'legacy-dispatch';

/** A legacy request that has passed every check; its input is the whole body, in legacy names. */
export type LegacyRequest = SupplierRequest<unknown> & { readonly operation: LegacyOperation };

/** The checks of the legacy route: those of the current interface, with the credentials in the body. */
export function legacyPipeline(
  operations: LegacyOperations,
  ports: LegacyPorts & { readonly clock: Clock },
): Pipeline<LegacyRequest> {
  return pipeline({ name: NAME, policy: null, format: resultadoFormat, clock: ports.clock })
    .use(showLoginBlock(ports.guards, { tellsFailures: false }))
    .use(findOperation(operations))
    .use(requireUnicode())
    .use(readWholeBody())
    .use(authorizeByBody(ports));
}

/** Requires the path to name an operation, in capital or small letters, whose limit the answers show from here on. */
function findOperation(
  operations: LegacyOperations,
): PortalMiddleware<RequestState, { readonly operation: LegacyOperation }> {
  const byName = new Map(Object.entries(operations).map(([name, operation]) => [name.toLowerCase(), operation]));
  return adding(({ event: { state, pathParameters } }) => {
    const operation = byName.get(pathParameters?.['WSName']?.toLowerCase() ?? '');
    if (!operation) {
      throw new ServiceError('NOT_FOUND', unknownOperation, { reason: 'unknown-operation' });
    }
    state.rate = rateStatus(PORTAL_POLICIES[operation.contract.access], [], state.receivedAt.getTime());
    return { operation };
  });
}
