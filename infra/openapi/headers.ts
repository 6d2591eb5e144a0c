import { ANSWER_HEADERS } from '../../lib/http/answer-headers.ts';
import { GATEWAY_ANSWERS } from './gateway-answers.ts';

const count = { type: 'integer', minimum: 0 } as const;
const fixed = (name: keyof typeof ANSWER_HEADERS) => ({ type: 'string', const: ANSWER_HEADERS[name] }) as const;

// The headers of answers, by the name of their component.
const HEADERS = {
  RequestId: {
    name: 'X-Request-Id',
    description: 'Unique identifier of the request, made by the service; name it when you ask for help',
    schema: { type: 'string', format: 'uuid' },
  },
  CacheControl: {
    name: 'Cache-Control',
    description: 'No answer may be stored',
    schema: fixed('Cache-Control'),
  },
  ContentTypeOptions: {
    name: 'X-Content-Type-Options',
    description: 'The type of the content is the one that is named',
    schema: fixed('X-Content-Type-Options'),
  },
  TransportSecurity: {
    name: 'Strict-Transport-Security',
    description: 'For a year, this host speaks HTTPS only; means nothing over HTTP, as on your own machine',
    schema: fixed('Strict-Transport-Security'),
  },
  ContentSecurity: {
    name: 'Content-Security-Policy',
    description: 'A browser that shows the answer loads nothing for it, and shows it in no frame',
    schema: fixed('Content-Security-Policy'),
  },
  RateLimitLimit: {
    name: 'X-RateLimit-Limit',
    description: 'Maximum requests in the current window',
    schema: count,
  },
  RateLimitRemaining: {
    name: 'X-RateLimit-Remaining',
    description: 'Requests left in the window; the maximum where the caller is not known',
    schema: count,
  },
  RateLimitReset: {
    name: 'X-RateLimit-Reset',
    description:
      'Unix timestamp in seconds when the window resets; a whole window from now where the caller is not known',
    schema: count,
  },
  RetryAfter: { name: 'Retry-After', description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
} as const;

type HeaderName = keyof typeof HEADERS;

const RATE: readonly HeaderName[] = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'];
const OPTIONAL = 'IfAny';

/**
 * The components of all headers, with an example each: those of the rate are there twice, for the gateway knows no
 * limits of users.
 */
export function headerComponents(exampleOf: (name: string, type: string) => string | number): Record<string, object> {
  const components = Object.entries(HEADERS).map(([component, { name, description, schema }]) => {
    const header = { required: true, description, schema, example: exampleOf(name, schema.type) };
    return [component, header] as const;
  });
  const optional = components
    .filter(([component]) => RATE.includes(component as HeaderName))
    .map(([component, header]) => [
      component + OPTIONAL,
      { ...header, required: false, description: `${header.description}; the gateway itself answers without it` },
    ]);
  return Object.fromEntries([...components, ...optional]);
}

/** The headers of an answer, as references to their components; `countsRate`: the service says how much is left. */
export function headersOf(status: number, countsRate: boolean): Record<string, object> {
  const isOfGateway = GATEWAY_ANSWERS.some((answer) => answer.status === status);
  const names: HeaderName[] = [
    'RequestId',
    'CacheControl',
    'ContentTypeOptions',
    'TransportSecurity',
    'ContentSecurity',
    ...(countsRate ? RATE : []),
    ...(status === 429 ? (['RetryAfter'] as const) : []),
  ];
  return Object.fromEntries(
    names.map((name) => {
      const component = RATE.includes(name) && isOfGateway ? name + OPTIONAL : name;
      return [HEADERS[name].name, { $ref: `#/components/headers/${component}` }];
    }),
  );
}
