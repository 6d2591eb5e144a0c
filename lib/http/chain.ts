import type { MiddlewareObj, MiddyfiedHandler, Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { RequestState, Success } from '../endpoints/endpoint.ts';
import { withinDeadline } from '../runtime/deadline.ts';
import { measured } from '../runtime/usage.ts';

/** A proxy event with the state of its request. */
export interface PortalEvent<State = RequestState> extends APIGatewayProxyEvent {
  state: State;
}

/** What a request comes to: what the endpoint gives, then the answer of the function. */
type Result = Success | APIGatewayProxyResult;

/** A request on its way through the chain. */
export type PortalRequest<State = RequestState> = Request<PortalEvent<State>, Result>;

/** A Middy middleware that runs on a state with `Needs`, and after which the state has `Adds` too. */
export interface PortalMiddleware<Needs = RequestState, Adds = unknown> extends MiddlewareObj<
  PortalEvent<Needs>,
  Result
> {
  /** For the compiler only; no middleware has a value here. */
  readonly adds?: Adds;
}

/** Says to the compiler that a middleware has run which adds nothing that the later ones use, but must not be missing. */
export type After<Name extends string> = Readonly<Record<`after ${Name}`, true>>;

/** A middleware that adds to the state what `find` returns; `Passed`: what it is `After` besides. */
export function adding<Needs extends RequestState, Adds extends object, Passed = unknown>(
  find: (request: PortalRequest<Needs>) => Adds | Promise<Adds>,
): PortalMiddleware<Needs, Adds & Passed> {
  return {
    async before(request) {
      Object.assign(request.event.state, await find(request));
    },
  };
}

/** A Lambda handler behind a proxy integration. */
export type ProxyHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Middleware in an order in which each finds what it needs; `State` is what a request has after all of them. */
export interface Chain<State> {
  /** Adds a middleware; it does not compile where the earlier ones do not add what this one needs. */
  readonly use: <Adds>(middleware: PortalMiddleware<State, Adds>) => Chain<State & Adds>;
  /** The Lambda handler: it answers before Lambda gives up, and measures what each request uses. */
  readonly handler: (endpoint: (request: State) => Success | Promise<Success>) => ProxyHandler;
}

/**
 * Middy's chain, with a `use` that refuses a wrong order: a request goes down through the middleware to the endpoint,
 * and its answer or error comes back up.
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
    handler(endpoint) {
      // What each middleware adds is known to the types of `use` only, not to Middy's.
      const run = engine.handler(({ state }) => endpoint(state as State)) as unknown as ProxyHandler;
      return (event, context) =>
        withinDeadline(
          () => context.getRemainingTimeInMillis(),
          () => measured(() => run(event, context)),
        );
    },
  };
}
