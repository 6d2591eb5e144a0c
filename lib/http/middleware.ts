// The parts of the chains in `functions`, so that a function imports them from one file.

export { createChain, createPortalChain } from './responses.ts';
export { handleLoginRejections, verifyLoginCredentials } from './guard-login.ts';
export { checkAccess, loadAccess, readEndpointData, requireTenant, requireTokenAndKey } from './check-access.ts';
export { createBatchItemReader, createBodyReader, createPathReader, createQueryReader } from './input.ts';
export { parseInput, parseValidInput, requireValidInput } from './input.ts';
