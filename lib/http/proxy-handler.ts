import type { MiddyfiedHandler } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { withinDeadline } from '../runtime/deadline.ts';
import { measured } from '../runtime/usage.ts';
import type { PortalEvent, Success } from './request-state.ts';

/** A Lambda handler behind a proxy integration. */
export type ProxyHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Makes a pipeline a Lambda handler: it answers before Lambda gives up, and measures what each request uses. */
export function proxyHandler(pipeline: MiddyfiedHandler<PortalEvent, Success | APIGatewayProxyResult>): ProxyHandler {
  const handler = pipeline as unknown as ProxyHandler;
  return (event, context) =>
    withinDeadline(
      () => context.getRemainingTimeInMillis(),
      () => measured(() => handler(event, context)),
    );
}
