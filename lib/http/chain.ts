import type { MiddlewareObj, MiddyfiedHandler, Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Success } from '../endpoints/endpoint.ts';
import { withinDeadline } from '../runtime/request-scope.ts';
import type { RequestState } from './request-state.ts';

export interface PortalEvent<State = RequestState> extends APIGatewayProxyEvent {
  state: State;
}

/** The response: first the endpoint's result, then the API Gateway result built from it. */
type Result = Success | APIGatewayProxyResult;

export type PortalRequest<State = RequestState> = Request<PortalEvent<State>, Result>;

/** A Middy middleware that runs on a state with `Needs`, and after which the state has `Adds` too. */
export interface PortalMiddleware<Needs = RequestState, Adds = unknown> extends MiddlewareObj<
  PortalEvent<Needs>,
  Result
> {
  /** Only the compiler uses this property; no middleware has a value here. */
  readonly adds?: Adds;
}

/** Several middlewares that are used together, in this order. */
export interface PortalGroup<Needs, Adds> {
  readonly members: readonly MiddlewareObj<PortalEvent, Result>[];
  /** Only the compiler uses this property; no group has a value here. */
  readonly types?: (state: Needs) => Adds;
}

/** Marks in the type of the state that a middleware has run which adds nothing else, but must not be missing. */
export type After<Name extends string> = Readonly<Record<`after ${Name}`, true>>;

/** Creates a middleware that adds to the state what `find` returns. */
export function addToState<Needs extends RequestState, Adds extends object>(
  find: (request: PortalRequest<Needs>) => Adds | Promise<Adds>,
): PortalMiddleware<Needs, Adds> {
  return {
    async before(request) {
      Object.assign(request.event.state, await find(request));
    },
  };
}

/** A Lambda handler behind a proxy integration. */
export type ProxyHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Middlewares in an order in which each finds what it needs; `State` is what a request has after all of them. */
export interface Chain<State> {
  /** Adds a middleware. The call does not compile if the earlier ones do not add what this one needs. */
  readonly use: <Adds>(middleware: PortalMiddleware<State, Adds>) => Chain<State & Adds>;
  /** Adds a group of middlewares, under the same rule. */
  readonly useGroup: <Adds>(group: PortalGroup<State, Adds>) => Chain<State & Adds>;
  /** Creates the Lambda handler, which responds before Lambda's timeout and measures what each request uses. */
  readonly handler: (endpoint: (request: State) => Success | Promise<Success>) => ProxyHandler;
}

/**
 * Wraps Middy's chain so that a wrong order does not compile. A request passes the middlewares from the top to the
 * endpoint, and its response or error passes them from the bottom to the top.
 *
 * @example
 * typedChain(middy()).use(requestState('get-invoice')).use(requestLog()).handler(endpoint)
 */
export function typedChain<State = unknown>(engine: MiddyfiedHandler<PortalEvent, Result>): Chain<State> {
  return {
    use(middleware) {
      engine.use(middleware);
      return typedChain(engine);
    },
    useGroup({ members }) {
      engine.use([...members]);
      return typedChain(engine);
    },
    handler(endpoint) {
      // The types of Middy do not contain the state that the middlewares add.
      const run = engine.handler(({ state }) => endpoint(state as State)) as unknown as ProxyHandler;
      return (event, context) =>
        withinDeadline(
          () => context.getRemainingTimeInMillis(),
          () => run(event, context),
        );
    },
  };
}

/** Creates a group from the middlewares that `build` adds to a chain. */
export function groupMiddleware<Needs, State>(build: (chain: Chain<Needs>) => Chain<State>): PortalGroup<Needs, State> {
  const members: MiddlewareObj<PortalEvent, Result>[] = [];
  const recorder = { use: (middleware: MiddlewareObj<PortalEvent, Result>) => members.push(middleware) };
  build(typedChain(recorder as unknown as MiddyfiedHandler<PortalEvent, Result>));
  return { members };
}
