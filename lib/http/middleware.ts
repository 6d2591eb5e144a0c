export { portalResponses, responses } from './responses.ts';
export { loginBlock, loginCredentials } from './guard-login.ts';
export { checkAccess, found, jwt, load, tenant } from './check-access.ts';
export { batchItemReader, input, jsonBody, parse, pathParameters, queryParameters, validInput } from './input.ts';
