import { legacyPorts } from '../lib/composition/handler-ports.ts';
import * as http from '../lib/http/middleware.ts';
import { credentials, wsAutorizacion } from '../lib/legacy/credentials.ts';
import { anyBody } from '../lib/legacy/any-body.ts';
import { legacyOperations, operation } from '../lib/legacy/operations.ts';
import { RESULTADO } from '../lib/legacy/resultado.ts';

const ports = legacyPorts();

/** POST /apidev/legacy/{WSName} */
export const handler = http
  // Every response: log line, headers, Resultado, rejections of the login guards
  .responses('legacy-dispatch', null, RESULTADO)
  .use(http.loginBlock(ports.guards, 'legacy'))
  // Find the operation, and verify the credentials
  .use(operation(legacyOperations(ports)))
  .use(anyBody())
  .use(wsAutorizacion(ports.guards))
  .use(credentials(ports))
  // Access checks in the order of the interface; the operation validates its input
  .use(http.checkAccess())
  .handler((request) => request.operation.run(request));
