export { portalResponses, responses } from './responses.ts';
export { loginBlock, loginCredentials } from './login.ts';
export { checkAccess, found, jwt, load, tenant } from './access.ts';
export { batchItemReader, input, jsonBody, parse, pathParameters, queryParameters, validInput } from './input.ts';
