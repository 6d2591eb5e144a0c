import type { Reply } from '../reply.ts';
import type { RouteMatch } from '../route-match.ts';

/** A request, and what the gateway answered. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** The route of the stack, if it has one. */
  readonly match: RouteMatch | undefined;
  readonly body: Buffer;
  readonly reply: Reply;
  readonly durationMs: number;
}
