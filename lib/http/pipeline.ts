import middy, { type MiddyfiedHandler } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { PortalMiddleware } from './middleware.ts';
import { type ProxyHandler, proxyHandler } from './proxy-handler.ts';
import type { PortalEvent, RequestState, Success } from './request-state.ts';
import { responseShell, type ShellOptions } from './response-shell.ts';

/** Middleware in an order in which each finds what it needs; `State` is what a request has after all of them. */
export interface Pipeline<State extends RequestState> {
  /** Adds a middleware; it does not compile where the earlier ones do not add what this one needs. */
  readonly use: <Adds>(middleware: PortalMiddleware<State, Adds>) => Pipeline<State & Adds>;
  /** The Lambda handler that runs an endpoint behind all middleware. */
  readonly handler: (endpoint: (request: State) => Promise<Success>) => ProxyHandler;
}

/** A pipeline that begins with the response shell. */
export function pipeline(shell: ShellOptions): Pipeline<RequestState> {
  return extending(middy<PortalEvent, Success | APIGatewayProxyResult>().use(responseShell(shell)));
}

function extending<State extends RequestState>(
  engine: MiddyfiedHandler<PortalEvent, Success | APIGatewayProxyResult>,
): Pipeline<State> {
  return {
    use(middleware) {
      engine.use(middleware);
      return extending(engine);
    },
    // What each middleware adds is known to the types of `use` only, not to Middy's.
    handler: (endpoint) => proxyHandler(engine.handler(({ state }) => endpoint(state as State))),
  };
}
