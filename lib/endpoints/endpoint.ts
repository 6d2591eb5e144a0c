import type { Caller } from '../auth/access-rules.ts';
import type { UserReference } from '../domain/directory.ts';
import type { ServiceError } from '../domain/errors.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { Language } from '../domain/language.ts';
import type { RateStatus } from '../rate-limit/rate-status.ts';
import type { Logger } from '../runtime/logger.ts';
import type { AttemptLog } from '../services/verify-credentials.ts';

/**
 * What is known of every request. The optional fields are for the answer and the log line, which also a request that
 * fails early has. What a later middleware needs is not optional: the type of an earlier one says that it adds it.
 */
export interface RequestState extends AttemptLog {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly logger: Logger;
  /** In which language the caller wants to read messages. */
  readonly language: Language;
  /** The address that it came from, as the gateway saw it. */
  readonly sourceIp: string;
  /** What the rate headers say; null: the answer has none. */
  rate: RateStatus | null;
  retryAfterSeconds?: number;
  /** Why the login was rejected. `not-allowed`: the credentials are valid, but the user or the company may not log in. */
  loginRefused?: 'wrong-credentials' | 'malformed' | 'not-allowed' | 'blocked-source' | 'account-locked';
  limiterUnavailable?: true;
  /** The end of the API key, as the directory has it. */
  apiKeyLast4?: string | undefined;
  /** Whom verified credentials speak for. */
  identity?: UserReference;
  caller?: Caller;
  /** What is wrong with the input, as long as the caller is not known. */
  inputFault?: Error;
}

/** A request that has passed every check, with its valid input. */
export type SupplierRequest<Input> = RequestState & { readonly caller: Caller; readonly input: Input };

/** The answer of an endpoint; `meta`: of a page of a list; `itemErrors`: why each item of a batch failed, or null. */
export interface Success {
  readonly data: object;
  readonly itemErrors?: readonly (ServiceError | null)[];
  readonly meta?: { readonly total: number; readonly limit: number; readonly offset: number };
}

/**
 * An endpoint that reads first, which may begin before it is known that the caller is allowed: `read` writes nothing,
 * and what it has found may be dropped.
 */
export interface ReadingEndpoint<Input, Found> {
  readonly read: (scope: SupplierScope, input: Input) => Promise<Found>;
  /** Whether it reads so little that it may be in vain. */
  readonly isReadAhead: (input: Input) => boolean;
  readonly answer: (request: SupplierRequest<Input> & { readonly found: Found }) => Success | Promise<Success>;
}

/** The same as an endpoint that begins when the caller is known. */
export function wholly<Input, Found>({ read, answer }: ReadingEndpoint<Input, Found>): Endpoint<Input> {
  return async (request) => answer({ ...request, found: await read(request.caller.scope, request.input) });
}

/** An endpoint: takes a request that has passed every check, with the contract's input; gives the contract's answer. */
export type Endpoint<Input> = (request: SupplierRequest<Input>) => Promise<Success>;
