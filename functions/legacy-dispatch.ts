import { createLegacyPorts } from '../lib/composition/handler-ports.ts';
import * as http from '../lib/http/middleware.ts';
import { anyBody, credentials, wsAutorizacion } from '../lib/legacy/credentials.ts';
import { legacyOperations, operation } from '../lib/legacy/operations.ts';
import { RESULTADO } from '../lib/legacy/resultado.ts';

const ports = createLegacyPorts();

export const handler = http
  .responses('legacy-dispatch', null, RESULTADO)
  .use(http.loginBlock(ports.guards, 'legacy'))
  .use(operation(legacyOperations(ports)))
  .use(anyBody())
  .use(wsAutorizacion(ports.guards))
  .use(credentials(ports))
  .use(http.checkAccess())
  .handler((request) => request.operation.run(request));
