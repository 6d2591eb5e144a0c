import type { CallOptions, PortalClientOptions } from './client-types.ts';
import { RESPONSE_SHAPES } from './portal-data.generated.ts';
import { readResponse, type ResponseShape, type Success } from './responses.ts';
import { wait as defaultWait, withRetries } from './retries.ts';
import { createSession } from './session.ts';
import { type Fetch, type PortalRequest, type Reply, sendRequest } from './transport.ts';

const LOGIN_PATH = '/apidev/v1/login';

/** Creates what all endpoints share: the builders of requests, the session, and calls with their retries. */
export function createConnection(options: PortalClientOptions) {
  const { apiKey, email, password, playerid } = options;
  const { fetch = globalThis.fetch, wait = defaultWait, timeoutMs = 30_000, maxAttempts = 5 } = options;
  const retryOptions = { wait, maxAttempts };
  const { buildGet, buildPost } = createRequestBuilders(options);
  const send = createSender(fetch, timeoutMs);
  const session = createSession(async (signal) => {
    const logIn = () => send(buildPost(LOGIN_PATH, { email, password, playerid }), signal);
    const reply = await withRetries(logIn, retryOptions, signal);
    return readResponse<{ readonly authorization: string }>(reply, RESPONSE_SHAPES.login).data.authorization;
  });

  async function call<Data, Meta = object>(
    request: PortalRequest,
    shape: ResponseShape,
    { signal, onResponse }: CallOptions = {},
  ): Promise<Success<Data, Meta>> {
    let hasRenewedToken = false;
    let attempts = 0;
    const sendWithToken = async (): Promise<Reply> => {
      const token = await session.getToken(signal);
      const credentials = { 'X-API-Key': apiKey, Authorization: `Bearer ${token.value}` };
      attempts += 1;
      const reply = await send({ ...request, headers: { ...request.headers, ...credentials } }, signal);
      if ('error' in reply) return reply;
      onResponse?.({ status: reply.status, requestId: reply.headers.get('X-Request-Id'), attempts });
      if (reply.status !== 401) return reply;
      session.discard(token.value);
      // A call renews its token once. If the service rejects a new token, the cause is another value: the API key.
      if (token.isNew || hasRenewedToken) return reply;
      hasRenewedToken = true;
      return sendWithToken();
    };
    return readResponse(await withRetries(sendWithToken, retryOptions, signal), shape);
  }

  return { buildGet, buildPost, session, call };
}

function createRequestBuilders({ baseUrl, tenant, language }: PortalClientOptions) {
  const base = baseUrl.replace(/\/+$/, '');
  const headers = language ? { tenant, 'Accept-Language': language } : { tenant };
  return {
    buildGet: (path: string): PortalRequest => ({ method: 'GET', url: base + path, headers }),
    buildPost: (path: string, body: object): PortalRequest => ({
      method: 'POST',
      url: base + path,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  };
}

/** Creates the function that sends a request. In development, it prints a warning of properties that were ignored. */
function createSender(fetch: Fetch, timeoutMs: number) {
  const printedFields = new Set<string>();
  return async (request: PortalRequest, signal: AbortSignal | undefined): Promise<Reply> => {
    const reply = await sendRequest(fetch, request, { timeoutMs, signal });
    const ignoredFields = 'headers' in reply ? reply.headers.get('X-Ignored-Fields') : null;
    if (ignoredFields && !printedFields.has(ignoredFields) && isDevelopment()) {
      printedFields.add(ignoredFields);
      // oxlint-disable-next-line no-console -- the warning is for the developer of the program
      console.warn(`The service ignored unknown properties: ${ignoredFields}.`);
    }
    return reply;
  };
}

/** True if the program runs in Node, but not in production. */
function isDevelopment(): boolean {
  const { process } = globalThis as { readonly process?: { readonly env?: Record<string, string | undefined> } };
  return process?.env !== undefined && process.env['NODE_ENV'] !== 'production';
}
