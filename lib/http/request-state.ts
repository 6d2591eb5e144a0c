import type { Logger } from '@aws-lambda-powertools/logger';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Caller } from '../auth/access-rules.ts';
import type { UserReference } from '../domain/directory.ts';
import type { ServiceError } from '../domain/errors.ts';
import type { RateStatus } from '../rate-limit/rate-status.ts';

/** What is known of a request so far; each middleware adds its part. */
export interface RequestState {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly logger: Logger;
  /** The address that it came from, as the gateway saw it. */
  readonly sourceIp: string;
  /** What the rate headers say; null: the answer has none. */
  rate: RateStatus | null;
  retryAfterSeconds?: number;
  /** Why a password opened nothing; `not-allowed`: it was right, but its user or company is not let in. */
  loginRefused?: 'wrong-credentials' | 'not-allowed' | 'blocked-source' | 'spent-account';
  limiterUnavailable?: true;
  /** What the tenant header names. */
  tenant?: string;
  /** Whose account somebody tried to log in to, as the directory has it. */
  claimedUser?: UserReference;
  /** The end of the API key, as the directory has it. */
  apiKeyLast4?: string | undefined;
  /** Whom verified credentials speak for. */
  identity?: UserReference;
  /** When its token was issued, in whole Unix seconds. */
  tokenIssuedAtSeconds?: number;
  caller?: Caller;
  input?: unknown;
}

/** A proxy event with the state of its request. */
export interface PortalEvent extends APIGatewayProxyEvent {
  state: RequestState;
}

/** The outcome of an endpoint: `data`, and for a page of a list its `meta`; of a batch also why each item failed (null: it did not). */
export interface Success {
  readonly data: object;
  readonly itemErrors?: readonly (ServiceError | null)[];
  readonly meta?: { readonly total: number; readonly limit: number; readonly offset: number };
}

/** A middleware of the pipeline; the shell turns the endpoint's Success into a response. */
export type PortalMiddleware = MiddlewareObj<PortalEvent, Success | APIGatewayProxyResult>;

/** What an earlier middleware has put into the state. */
export function established<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The pipeline has not established the ${name} yet.`);
  return value;
}
