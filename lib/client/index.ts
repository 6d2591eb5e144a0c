/** The exports of the client of the Supplier Portal Invoice Service. */
export { type Fetch, isConfidential } from './transport.ts';
export { PortalError, type PortalErrorCause, type PortalErrorCode, type PortalFailure } from './portal-error.ts';
export { type Wait, wait } from './retries.ts';
export type * from './client-types.ts';
export { createPortalClient } from './portal-client.ts';
export type * from './portal-data.generated.ts';
export { DECLARATION_LIMITS, REQUEST_LIMITS } from './portal-data.generated.ts';
