import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { PortalEvent, RequestState, Success } from './request-state.ts';

/** A request on its way through the pipeline. */
export type PortalRequest<State extends RequestState = RequestState> = Request<
  PortalEvent<State>,
  Success | APIGatewayProxyResult
>;

/** A Middy middleware that runs on a state with `Needs`, and after which the state has `Adds` too. */
export interface PortalMiddleware<Needs extends RequestState = RequestState, Adds = unknown> extends MiddlewareObj<
  PortalEvent<Needs>,
  Success | APIGatewayProxyResult
> {
  /** For the compiler only; no middleware has a value here. */
  readonly adds?: Adds;
}

/** A middleware that adds to the state what `find` returns. */
export function adding<Needs extends RequestState, Adds extends object>(
  find: (request: PortalRequest<Needs>) => Adds | Promise<Adds>,
): PortalMiddleware<Needs, Adds> {
  return {
    async before(request) {
      Object.assign(request.event.state, await find(request));
    },
  };
}
