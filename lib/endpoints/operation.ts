import type { SupplierRequest } from '../http/supplier-endpoint.ts';
import type { Success } from '../http/request-state.ts';

/** What an endpoint does for a request that has passed every check; its answer is in the current interface's names. */
export type Operation<Input> = (request: SupplierRequest<Input>) => Promise<Success>;
