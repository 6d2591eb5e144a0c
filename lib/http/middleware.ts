import type { Contract } from '../contracts/contract.ts';
import type { AccessKind } from '../domain/directory.ts';
import { PORTAL_POLICIES } from '../access/policies.ts';
import { answerHeaders } from './answer-headers.ts';
import { type After, type Chain, groupMiddleware, type PortalGroup } from './chain.ts';
import { type AnswerMiddleware, envelope, unexpectedErrors } from './envelope.ts';
import type { RequestState } from './request-state.ts';
import { requestLog, requestState } from './request.ts';

// The middlewares of the chains in `functions`, in the order in which a request passes them.
export { loginBlock, loginCredentials } from './login.ts';
export { jwt, tenant } from './credentials.ts';
export { jsonBody, pathParameters, queryParameters } from './input-readers.ts';
export { input, parse, validInput } from './input.ts';
export { found, load, WITHOUT_PREFETCH } from './load.ts';
export { checkAccess } from './access.ts';
export { batchItemReader } from './batch-items.ts';

/**
 * Groups what every response has: its log line, its headers with this limit (see `answerHeaders`), and its format, also
 * for an unexpected error.
 */
export function responses(
  endpoint: string,
  limit: Parameters<typeof answerHeaders>[0],
  format: AnswerMiddleware = envelope(),
): PortalGroup<unknown, RequestState & After<'unexpectedErrors'>> {
  return groupMiddleware((chain: Chain<unknown>) =>
    chain.use(requestState(endpoint)).use(requestLog()).use(answerHeaders(limit)).use(format).use(unexpectedErrors()),
  );
}

/** Groups what every response of a supplier endpoint has: its rate headers show the limit of the contract. */
export function portalResponses({ name, access }: Contract & { readonly access: AccessKind }) {
  return responses(name, PORTAL_POLICIES[access]);
}
