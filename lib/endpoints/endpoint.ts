import type { Caller } from '../auth/access-rules.ts';
import type { UserReference } from '../domain/directory.ts';
import type { ServiceError } from '../domain/errors.ts';
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
  /** Why credentials opened nothing; `not-allowed`: they were right, but their user or company is not let in. */
  loginRefused?: 'wrong-credentials' | 'malformed' | 'not-allowed' | 'blocked-source' | 'spent-account';
  limiterUnavailable?: true;
  /** The end of the API key, as the directory has it. */
  apiKeyLast4?: string | undefined;
  /** Whom verified credentials speak for. */
  identity?: UserReference;
  caller?: Caller;
}

/** A request that has passed every check, with its valid input. */
export type SupplierRequest<Input> = RequestState & { readonly caller: Caller; readonly input: Input };

/** The answer of an endpoint; `meta`: of a page of a list; `itemErrors`: why each item of a batch failed, or null. */
export interface Success {
  readonly data: object;
  readonly itemErrors?: readonly (ServiceError | null)[];
  readonly meta?: { readonly total: number; readonly limit: number; readonly offset: number };
}

/** An endpoint: takes a request that has passed every check, with the contract's input; gives the contract's answer. */
export type Endpoint<Input> = (request: SupplierRequest<Input>) => Promise<Success>;
