/** The exports of the client of the Supplier Portal Invoice Service. */
export { type Fetch, isConfidential } from './exchange.ts';
export { PortalError, type PortalErrorCode, type PortalFailure } from './portal-error.ts';
export { type Rate, type RateGroup, type Rates, type Wait, wait } from './exchange.ts';
export * from './portal-client.ts';
export type * from './portal-data.generated.ts';
export { DECLARATION_LIMITS, REQUEST_LIMITS } from './portal-data.generated.ts';
