import { unescape } from 'node:querystring';
import type { RouteDefinition } from './stack-definition.ts';

/** The route of a request. */
export interface RouteMatch {
  readonly functionId: string;
  /** The path as the API declares it, such as `/invoices/{id}`. */
  readonly resource: string;
  /** The values of the variable segments, decoded as the gateway does: what is no UTF-8 becomes U+FFFD. */
  readonly parameters: Readonly<Record<string, string>>;
}

const variable = /^\{(.+)\}$/;

/**
 * Finds the route as API Gateway does: the resource first, a literal segment before a variable one, then its method.
 */
export function matchRoute(routes: readonly RouteDefinition[], method: string, path: string): RouteMatch | undefined {
  const segments = path.split('/').slice(1);
  const fitting = routes.filter((route) => fits(route, segments));
  const literal = fitting.filter((route) => !route.segments.some((segment) => variable.test(segment)));
  const route = (literal.length > 0 ? literal : fitting).find((candidate) => candidate.method === method);
  return (
    route && {
      functionId: route.functionId,
      resource: `/${route.segments.join('/')}`,
      parameters: parametersOf(route, segments),
    }
  );
}

function fits(route: RouteDefinition, segments: readonly string[]): boolean {
  if (route.segments.length !== segments.length) return false;
  return route.segments.every((segment, index) =>
    variable.test(segment) ? segments[index] !== '' : segment === segments[index],
  );
}

function parametersOf(route: RouteDefinition, segments: readonly string[]): Record<string, string> {
  const entries = route.segments.map((segment, index) => [variable.exec(segment)?.[1], segments[index] ?? ''] as const);
  return Object.fromEntries(entries.flatMap(([name, value]) => (name ? [[name, unescape(value)]] : [])));
}
