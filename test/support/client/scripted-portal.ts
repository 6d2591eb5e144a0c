import { ERROR_CODES, type ErrorCode } from '../../../lib/domain/errors.ts';
import type { Fetch, PortalRequest } from '../../../lib/client/transport.ts';
import type { PortalErrorCode } from '../../../lib/client/portal-error.ts';
import { createPortalClient, type PortalClientOptions } from '../../../lib/client/index.ts';
import { RESPONSE_SHAPES } from '../../../lib/client/portal-data.generated.ts';

/** The response of a scripted service to a request, or a function that returns it. */
export type ScriptedResponse = Response | ((request: SentRequest) => Response | Promise<Response>);

/** A request that the client passed to `fetch`. */
export interface SentRequest extends PortalRequest {
  readonly redirect: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The credentials of every scripted client. No error contains them. */
export const credentials = {
  tenant: 'demo.example',
  apiKey: 'secret-api-key',
  email: 'ana@demo.example',
  password: 'secret-password',
};

/**
 * Creates a client with virtual time whose requests receive scripted responses in order: one list for logins, and one
 * for all other calls. If the list of logins is empty, a login succeeds with `token-1`, `token-2` and so on.
 */
export function createScriptedPortal(
  script: { readonly logins?: readonly ScriptedResponse[]; readonly calls?: readonly ScriptedResponse[] },
  options: Partial<PortalClientOptions> = {},
) {
  const logins = [...(script.logins ?? [])];
  const calls = [...(script.calls ?? [])];
  const requests: SentRequest[] = [];
  const trace: string[] = [];
  let loginCount = 0;

  const fetch: Fetch = async (url, init) => {
    const request = { url, ...init } as SentRequest;
    requests.push(request);
    const isLogin = url.endsWith('/login');
    trace.push(isLogin ? 'login' : (request.headers['Authorization'] ?? 'no token').replace('Bearer ', ''));
    const step = isLogin ? (logins.shift() ?? buildLogin(`token-${++loginCount}`)) : calls.shift();
    if (step === undefined) throw new Error(`The script has no response for ${url}.`);
    return typeof step === 'function' ? step(request) : step;
  };
  const wait = async (seconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    trace.push(`${seconds} s`);
  };
  const client = createPortalClient({ baseUrl: 'https://portal.example', ...credentials, fetch, wait, ...options });
  return { client, requests, trace };
}

const SAMPLES: Readonly<Record<string, unknown>> = { string: '', number: 0, boolean: true, array: [], object: {} };

/** Builds an object with a sample value for each property that the responses have in `data` or `meta`. */
function buildSample(part: 'data' | 'meta'): object {
  // The data of a history are a list, which has no properties.
  const parts = Object.values(RESPONSE_SHAPES).map((shape) => shape[part]);
  const properties = parts.flatMap((shape) => (typeof shape === 'string' ? [] : Object.entries<string>(shape)));
  return Object.fromEntries(properties.map(([name, types]) => [name, SAMPLES[types.split(' ')[0]!]]));
}
const [sampleData, sampleMeta] = [buildSample('data'), buildSample('meta')];

/** Builds the body of a success that is valid for every operation. The arguments override its sample properties. */
export function buildSuccessBody(data: object = {}, meta: object = {}): object {
  return { success: true, data: { ...sampleData, ...data }, meta: { ...sampleMeta, ...meta } };
}

/** Builds a success that is valid for every operation. The arguments override its sample properties. */
export function buildSuccess(data?: object, meta?: object): Response {
  return Response.json(buildSuccessBody(data, meta), { headers: { 'X-Request-Id': 'request-1' } });
}

/** Builds a success with exactly this content, without sample properties. */
export function buildExactSuccess(data: unknown, meta: unknown = {}): Response {
  return Response.json({ success: true, data, meta }, { headers: { 'X-Request-Id': 'request-1' } });
}

/** Builds an empty page of an operation whose data are a list. */
export function buildList(): Response {
  return buildExactSuccess([], sampleMeta);
}

/** Builds the response of a successful login. */
export function buildLogin(authorization: string): Response {
  return buildSuccess({ authorization });
}

/** Builds an error response. Its default status is the status of its error code. */
export function buildFailure(
  code: PortalErrorCode,
  {
    status = ERROR_CODES[code as ErrorCode].status,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const error = { code, message: `The message of ${code}.` };
  return Response.json({ success: false, error }, { status, headers: { 'X-Request-Id': 'request-1', ...headers } });
}

/** Builds this number of responses with the same function. */
export function times(count: number, make: () => Response): Response[] {
  return Array.from({ length: count }, make);
}
