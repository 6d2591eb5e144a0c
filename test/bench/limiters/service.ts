import { requestLimiter, serviceClient } from '../../../lib/composition/handler-ports.ts';
import { PORTAL_POLICIES } from '../../../lib/rate-limit/policies.ts';

const limiter = requestLimiter(serviceClient());

/** Decides on one request of a subject at a time; the body is what became of it. */
export const handler = async ({ subject, nowMs }: { readonly subject: string; readonly nowMs: number }) => {
  const { kind } = await limiter.count(subject, PORTAL_POLICIES.read, new Date(nowMs));
  return { statusCode: 200, body: kind };
};
