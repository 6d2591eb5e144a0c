import type { MiddlewareObj, MiddyfiedHandler, Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { EndpointRequest, Success } from '../endpoints/endpoint.ts';
import { runWithinDeadline } from '../runtime/request-scope.ts';
import type { Caller } from '../access/access-rules.ts';
import type { UserReference } from '../domain/directory.ts';
import type { RateStatus } from '../domain/policies.ts';
import type { AttemptLog } from '../access/verify-credentials.ts';

export interface PortalEvent<State = RequestState> extends APIGatewayProxyEvent {
  state: State;
}

/** The reason of a rejected login. `not-allowed`: the credentials are valid, but user or company may not log in. */
export type LoginRejection = 'wrong-credentials' | 'malformed' | 'not-allowed' | 'blocked-source' | 'account-locked';

/**
 * The state of a request. The optional fields are for the response and the log line, and can be absent if the
 * request fails early. A field that a later middleware needs is not here: the type of an earlier middleware adds it.
 */
export interface RequestState extends EndpointRequest, AttemptLog {
  /** The source of the request, which the guards of logins count. */
  readonly source: string;
  /** The values of the rate headers; null if the response has none. */
  rate: RateStatus | null;
  retryAfterSeconds?: number;
  /** The names in the header `X-Ignored-Fields`. They are not logged (decision 012). */
  ignoredFields?: readonly string[];
  loginRejection?: LoginRejection;
  /** Present if the request was accepted without being counted. */
  limiterUnavailable?: true;
  apiKeyLast4?: string | undefined;
  isExpiringSoon?: boolean;
  identity?: UserReference;
  caller?: Caller;
}

export interface WithCaller {
  readonly caller: Caller;
}

/** The response: first the endpoint's result, then the API Gateway result built from it. */
type Result = Success | APIGatewayProxyResult;

export type PortalRequest<State = RequestState> = Request<PortalEvent<State>, Result>;

/** A Middy middleware that runs on a state with `Needs`, and after which the state has `Adds` too. */
export interface PortalMiddleware<Needs = RequestState, Adds = unknown> extends MiddlewareObj<
  PortalEvent<Needs>,
  Result
> {
  /** Carries the type `Adds` for the compiler. No middleware sets this property. */
  readonly adds?: Adds;
}

/** Creates a middleware that adds the properties of the result of `compute` to the state. */
export function addToState<Needs extends RequestState, Adds extends object>(
  compute: (request: PortalRequest<Needs>) => Adds | Promise<Adds>,
): PortalMiddleware<Needs, Adds> {
  return {
    async before(request) {
      Object.assign(request.event.state, await compute(request));
    },
  };
}

export type ProxyHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** A sequence of middlewares. Each one needs only the state that earlier ones add. `State` is the final state. */
export interface Chain<State> {
  /** Adds a middleware. The call does not compile if the state does not have the properties that it needs. */
  readonly use: <Adds>(middleware: PortalMiddleware<State, Adds>) => Chain<State & Adds>;
  /** Creates the Lambda handler, which responds before Lambda's timeout and measures what each request uses. */
  readonly handler: (endpoint: (request: State) => Success | Promise<Success>) => ProxyHandler;
}

/**
 * Wraps Middy's chain so that a wrong order does not compile. A request passes the middlewares from the top to the
 * endpoint, and its response or error passes them from the bottom to the top.
 */
export function createTypedChain<State = unknown>(engine: MiddyfiedHandler<PortalEvent, Result>): Chain<State> {
  return {
    use(middleware) {
      engine.use(middleware);
      return createTypedChain(engine);
    },
    handler(endpoint) {
      // The types of Middy do not contain the state that the middlewares add. `use` has checked that they add it.
      const run = engine.handler(({ state }) => endpoint(state as State)) as unknown as ProxyHandler;
      return (event, context) =>
        runWithinDeadline(
          () => context.getRemainingTimeInMillis(),
          () => run(event, context),
        );
    },
  };
}
