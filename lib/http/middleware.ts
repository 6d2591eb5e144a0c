// The middleware of the chains in `functions`, in the order in which a request meets them.
export { requestLog, requestState } from './request.ts';
export { answerHeaders } from './answer-headers.ts';
export { envelope, unexpectedErrors } from './envelope.ts';
export { loginBlock } from './login-block.ts';
export { jwt, tenant } from './credentials.ts';
export { activeUser, apiKey, openSession, rateLimit, readAccess, supplierPermission } from './access.ts';
export { unicodeText } from './unicode-text.ts';
export { jsonBody } from './json-body.ts';
export { batchItemReader } from './batch-items.ts';
export { input, pathParameters, queryParameters } from './input.ts';
export { early, readAhead, requireRead } from './read-ahead.ts';
