import type { Success } from '../http/request-state.ts';
import type { SupplierRequest } from '../http/supplier-pipeline.ts';

/** What an endpoint does once a request has passed every check: from the contract's input to the contract's answer. */
export type Endpoint<Input> = (request: SupplierRequest<Input>) => Promise<Success>;
