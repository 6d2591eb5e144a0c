import middy from '@middy/core';
import { legacyDispatchPorts } from '../lib/composition/handler-ports.ts';
import { activeUser, apiKey, rateLimit, supplierPermission } from '../lib/http/access.ts';
import { answerHeaders } from '../lib/http/answer-headers.ts';
import { typedChain } from '../lib/http/chain.ts';
import { unexpectedErrors } from '../lib/http/envelope.ts';
import { loginBlock } from '../lib/http/login-block.ts';
import { requestLog, requestState } from '../lib/http/request.ts';
import { unicodeText } from '../lib/http/unicode-text.ts';
import { credentials, wsAutorizacion } from '../lib/legacy/credentials.ts';
import { anyBody } from '../lib/legacy/any-body.ts';
import { legacyOperations, operation } from '../lib/legacy/operations.ts';
import { resultado } from '../lib/legacy/resultado.ts';

const ports = legacyDispatchPorts();

/** POST /apidev/legacy/{WSName} */
export const handler = typedChain(middy())
  .use(requestState('legacy-dispatch'))
  .use(requestLog())
  .use(answerHeaders(null))
  .use(resultado())
  .use(unexpectedErrors())
  .use(loginBlock(ports.guards, { tellsFailures: false }))
  .use(operation(legacyOperations(ports)))
  .use(unicodeText())
  .use(anyBody())
  .use(wsAutorizacion(ports.guards))
  .use(credentials(ports))
  .use(apiKey())
  .use(activeUser())
  .use(rateLimit())
  .use(supplierPermission())
  .handler((request) => request.operation.run(request));
