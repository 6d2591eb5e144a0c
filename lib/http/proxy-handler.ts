import type { MiddyfiedHandler } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { measured } from '../runtime/usage.ts';
import type { PortalEvent, Success } from './request-state.ts';

/** A Lambda handler behind a proxy integration. */
export type ProxyHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The handler that a pipeline is; what a request uses is measured for it alone. */
export function proxyHandler(pipeline: MiddyfiedHandler<PortalEvent, Success | APIGatewayProxyResult>): ProxyHandler {
  const handler = pipeline as unknown as ProxyHandler;
  return (event, context) => measured(() => handler(event, context));
}
