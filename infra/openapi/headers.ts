import { ANSWER_HEADERS } from '../../lib/http/answer-headers.ts';
import { GATEWAY_ANSWERS } from './gateway-answers.ts';
import type { Reference } from './operation.ts';

const count = { type: 'integer', minimum: 0 } as const;
const fixed = (name: keyof typeof ANSWER_HEADERS) => ({ type: 'string', const: ANSWER_HEADERS[name] }) as const;

// The headers of answers, by the name of their component.
const HEADERS = {
  RequestId: [
    'X-Request-Id',
    'Unique identifier of the request, made by the service; name it when you ask for help',
    { type: 'string', format: 'uuid' },
  ],
  CacheControl: ['Cache-Control', 'No answer may be stored', fixed('Cache-Control')],
  ContentTypeOptions: [
    'X-Content-Type-Options',
    'The type of the content is the one that is named',
    fixed('X-Content-Type-Options'),
  ],
  TransportSecurity: [
    'Strict-Transport-Security',
    'For a year, this host speaks HTTPS only; means nothing over HTTP, as on your own machine',
    fixed('Strict-Transport-Security'),
  ],
  ContentSecurity: [
    'Content-Security-Policy',
    'A browser that shows the answer loads nothing for it, and shows it in no frame',
    fixed('Content-Security-Policy'),
  ],
  RateLimitLimit: ['X-RateLimit-Limit', 'Maximum requests in the current window', count],
  RateLimitRemaining: [
    'X-RateLimit-Remaining',
    'Requests left in the window; the maximum where the caller is not known',
    count,
  ],
  RateLimitReset: [
    'X-RateLimit-Reset',
    'Unix timestamp in seconds when the window resets; a whole window from now where the caller is not known',
    count,
  ],
  RetryAfter: ['Retry-After', 'Seconds to wait', { type: 'integer', minimum: 1 }],
} as const satisfies Record<string, readonly [name: string, description: string, schema: object]>;

const isOfRate = (component: string) => component.startsWith('RateLimit');
const OPTIONAL = 'IfAny';

/**
 * The components of all headers, with what was sent as their examples: those of the rate are there twice, for the
 * gateway knows no limits of users.
 */
export function headerComponents(sent: Readonly<Record<string, string>>): Record<string, object> {
  const components = Object.entries(HEADERS).map(([component, [name, description, schema]]) => {
    const example = sent[name.toLowerCase()];
    const value = schema.type === 'integer' ? Number(example) : example;
    return [component, { required: true, description, schema, example: value }] as const;
  });
  const optional = components
    .filter(([component]) => isOfRate(component))
    .map(([component, header]) => [
      component + OPTIONAL,
      { ...header, required: false, description: `${header.description}; the gateway itself answers without it` },
    ]);
  return Object.fromEntries([...components, ...optional]);
}

/** The headers of an answer, as references to their components; `countsRate`: the service says how much is left. */
export function headersOf(status: number, countsRate: boolean): Record<string, Reference> {
  const isOfGateway = GATEWAY_ANSWERS.some((answer) => answer.status === status);
  const sent = Object.entries(HEADERS).filter(
    ([component]) => (countsRate || !isOfRate(component)) && (status === 429 || component !== 'RetryAfter'),
  );
  return Object.fromEntries(
    sent.map(([component, [name]]) => {
      const optional = isOfGateway && isOfRate(component) ? OPTIONAL : '';
      return [name, { $ref: `#/components/headers/${component}${optional}` }];
    }),
  );
}
