import type { Caller } from '../access/access-rules.ts';
import type { UserReference } from '../domain/directory.ts';
import type { Language } from '../domain/language.ts';
import type { RateStatus } from '../access/policies.ts';
import type { Logger } from '../runtime/logger.ts';
import type { AttemptLog } from '../access/verify-credentials.ts';

/** The reason of a rejected login. `not-allowed`: the credentials are valid, but the user or the company may not log in. */
export type LoginRejection = 'wrong-credentials' | 'malformed' | 'not-allowed' | 'blocked-source' | 'account-locked';

/**
 * The state of a request. The optional fields are for the response and the log line, also of a request that
 * fails early. What a later middleware needs is not optional: the type of an earlier one adds it.
 */
export interface RequestState extends AttemptLog {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly logger: Logger;
  /** The language of messages that the caller prefers. */
  readonly language: Language;
  /** The source address of the request, from the gateway. */
  readonly sourceIp: string;
  /** The values of the rate headers; null if the response has none. */
  rate: RateStatus | null;
  retryAfterSeconds?: number;
  loginRejection?: LoginRejection;
  limiterUnavailable?: true;
  /** The last 4 characters of the API key, from the directory. */
  apiKeyLast4?: string | undefined;
  /** The user whose credentials were verified. */
  identity?: UserReference;
  caller?: Caller;
}

export interface WithCaller {
  readonly caller: Caller;
}
