import middy from '@middy/core';
import { legacyDispatchPorts } from '../lib/composition/handler-ports.ts';
import { typedChain } from '../lib/http/chain.ts';
import * as http from '../lib/http/middleware.ts';
import { credentials, wsAutorizacion } from '../lib/legacy/credentials.ts';
import { anyBody } from '../lib/legacy/any-body.ts';
import { legacyOperations, operation } from '../lib/legacy/operations.ts';
import { resultado } from '../lib/legacy/resultado.ts';

const ports = legacyDispatchPorts();

/** POST /apidev/legacy/{WSName} */
export const handler = typedChain(middy())
  .use(http.requestState('legacy-dispatch'))
  .use(http.requestLog())
  .use(http.answerHeaders(null))
  .use(resultado())
  .use(http.unexpectedErrors())
  .use(http.loginBlock(ports.guards, { tellsFailures: false }))
  .use(operation(legacyOperations(ports)))
  .use(http.unicodeText({ except: /^Declaraciones\[\d+\]\./ }))
  .use(anyBody())
  .use(wsAutorizacion(ports.guards))
  .use(credentials(ports))
  .use(http.apiKey())
  .use(http.activeUser())
  .use(http.rateLimit())
  .use(http.supplierPermission())
  .handler((request) => request.operation.run(request));
