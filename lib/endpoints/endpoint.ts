import type { Caller } from '../access/access-rules.ts';
import type { ServiceError } from '../domain/errors.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { Language } from '../domain/language.ts';
import type { Logger } from '../runtime/logger.ts';

export interface EndpointRequest {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly logger: Logger;
  readonly language: Language;
}

export type SupplierRequest<Input> = EndpointRequest & { readonly caller: Caller; readonly input: Input };

/** The result of an endpoint, independent of HTTP. */
export interface Success {
  readonly data: object;
  /** The error of each item of a batch; null for an item without an error. */
  readonly itemErrors?: readonly (ServiceError | null)[];
  /** The position of a page in its list. */
  readonly meta?: { readonly total: number; readonly limit: number; readonly offset: number };
}

/** An endpoint whose read can start before the caller is authorised. */
export interface PrefetchingEndpoint<Input, Found> {
  /** Reads the data of the response, and writes nothing. The result is not used if the request is rejected. */
  readonly read: (scope: SupplierScope, input: Input) => Promise<Found>;
  readonly respond: (request: SupplierRequest<Input> & { readonly found: Found }) => Success | Promise<Success>;
}

/** Adapts a prefetching endpoint to one that reads only after authorisation, as the legacy route does. */
export function withoutPrefetch<Input, Found>({ read, respond }: PrefetchingEndpoint<Input, Found>): Endpoint<Input> {
  return async (request) => respond({ ...request, found: await read(request.caller.scope, request.input) });
}

/** A function that receives a request that passed every check, and returns the data of its contract's response. */
export type Endpoint<Input> = (request: SupplierRequest<Input>) => Promise<Success>;
