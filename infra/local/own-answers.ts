import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { answerClock } from './clock-endpoint.ts';
import type { Reply } from './reply.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What this gateway serves beside the routes of the stack. */
export interface OwnParts {
  readonly clock: VirtualClock;
  /** What is answered to GET with these headers, by path. */
  readonly pages: Readonly<Record<string, (headers: IncomingHttpHeaders) => Reply>>;
}

const firstPage = '/docs/';

/** The answer to a path that is no route of the stack; undefined when it has none. */
export function ownAnswer(
  { clock, pages }: OwnParts,
  { method, headers }: IncomingMessage,
  path: string,
  body: string,
): Reply | undefined {
  const reads = method === 'GET' || method === 'HEAD';
  if (path === '/_local/clock' && (reads || method === 'POST')) return answerClock(clock, reads ? undefined : body);
  if (!reads) return undefined;
  if (path === '/') return { status: 302, headers: { Location: firstPage, 'Cache-Control': 'no-store' }, body: '' };
  return pages[path]?.(headers);
}
