// The middlewares of the chains in `functions`, in the order in which a request passes them.
export { portalResponses, responses } from './responses.ts';
export { loginBlock, loginCredentials } from './login.ts';
export { jwt, tenant } from './credentials.ts';
export { jsonBody, pathParameters, queryParameters } from './input-readers.ts';
export { input, parse, validInput } from './input.ts';
export { found, load, WITHOUT_PREFETCH } from './load.ts';
export { checkAccess } from './access.ts';
export { batchItemReader } from './batch-items.ts';
