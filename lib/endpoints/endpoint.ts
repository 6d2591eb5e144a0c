import type { Success } from '../http/request-state.ts';
import type { SupplierRequest } from '../http/supplier-pipeline.ts';

/** An endpoint: takes a request that has passed every check, with the contract's input; gives the contract's answer. */
export type Endpoint<Input> = (request: SupplierRequest<Input>) => Promise<Success>;
