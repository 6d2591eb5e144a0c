import { createLegacyPorts } from '../lib/composition/handler-ports.ts';
import * as middleware from '../lib/http/middleware.ts';
import { parseAnyBody, requireWsAutorizacion, verifyLegacyCredentials } from '../lib/legacy/credentials.ts';
import { createLegacyOperations, requireOperation } from '../lib/legacy/operations.ts';
import { RESULTADO_FORMAT } from '../lib/legacy/resultado.ts';

const ports = createLegacyPorts();

/**
 * POST /apidev/legacy/{WSName}: runs a legacy operation. `handleLoginRejections` is first, so that it receives the
 * errors of all later steps. For example, it adds Retry-After during a lockout. The operation is found before the body
 * is parsed, because the operation determines the rate headers of an error. The operation validates its input after the
 * access check, so that a caller without access learns nothing from an error.
 */
export const handler = middleware
  .createChain('legacy-dispatch', { format: RESULTADO_FORMAT })
  .use(middleware.handleLoginRejections(ports.guards, 'legacy'))
  .use(requireOperation(createLegacyOperations(ports)))
  .use(parseAnyBody())
  .use(requireWsAutorizacion(ports.guards))
  .use(verifyLegacyCredentials(ports))
  .use(middleware.checkAccess())
  .handler((request) => request.operation.run(request));
