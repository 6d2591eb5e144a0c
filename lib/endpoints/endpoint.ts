import type { SupplierRequest } from '../http/supplier-endpoint.ts';
import type { Success } from '../http/request-state.ts';

/** What an endpoint does once a request has passed every check: from the contract's input to the contract's answer. */
export type Endpoint<Input> = (request: SupplierRequest<Input>) => Promise<Success>;
