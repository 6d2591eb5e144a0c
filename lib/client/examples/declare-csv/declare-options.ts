import type { PortalClient } from '../../index.ts';
import type { Progress } from './progress.ts';
import type { RequestLog } from './request-log.ts';

/** With what to declare, and how far to go. */
export interface DeclareOptions {
  readonly client: PortalClient;
  /** The one through which the client sends its requests. */
  readonly requests: RequestLog;
  /** Nothing is to be written. */
  readonly checkOnly: boolean;
  /** Only what the check says would be approved automatically is to be declared. */
  readonly holdReview: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}
