import { createServer } from 'node:http';
import { createGateway } from '../../../infra/local/gateway.ts';
import { LocalFunctions, type Outcome } from '../../../infra/local/local-functions.ts';
import { listen, LOCAL_HOST } from '../../../infra/local/ports.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';
import type { HttpResponse } from '../answers/contract-faults.ts';
import { startEngine } from '../engine/engine.ts';
import { startEngineProxy } from '../engine/engine-proxy.ts';
import type { Account } from '../data/seed.ts';
import { seedSigningKey, issueToken } from './tokens.ts';

/** Sends JSON to a path of the service. Rejects if the signal is aborted before the response. */
export type Post = (path: string, body: object, signal?: AbortSignal | null) => Promise<HttpResponse>;

/** The deployed functions behind the local gateway, with a short timeout, on an engine behind a proxy. */
export type ImpatientService = Awaited<ReturnType<typeof startImpatientService>>;

type Failure = Extract<Outcome, { failure: unknown }>['failure'];

/**
 * Starts the service with this timeout for every function. The seed is for the faults of the proxy. The clock of the
 * functions is ahead of the clock of this machine by `clockAheadMs`.
 */
export async function startImpatientService(timeoutSeconds: number, { seed = 1, clockAheadMs = 0 } = {}) {
  const engine = await startEngine();
  const proxy = await startEngineProxy(engine, seed);
  const signingKey = await seedSigningKey(engine);
  const stack = readStack();
  const clock = new VirtualClock();
  clock.advance(clockAheadMs);
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  const definitions = stack.functions.map((definition) => ({ ...definition, timeoutSeconds }));
  const functions = new LocalFunctions(definitions, { endpoint: proxy.engine.endpoint, clock, onLine });
  // Loaded in advance, so that loading does not count against the timeout of a request.
  await functions.load();
  const failures: Failure[] = [];
  const invoke: LocalFunctions['invoke'] = async (...call) => {
    const outcome = await functions.invoke(...call);
    if ('failure' in outcome) failures.push(outcome.failure);
    return outcome;
  };
  const server = createServer(createGateway({ stack, invoke, clock, localRoutes: {} }));
  const url = `http://${LOCAL_HOST}:${await listen(server, 0)}`;

  return {
    engine,
    proxy,
    /** Returns the failures of all invocations that ended without a response of the function. */
    failures: () => failures,
    /** Creates the POST function of an account, with a new token. */
    createPost: async (account: Account): Promise<Post> => {
      const authorization = `Bearer ${await issueToken(account.reference, signingKey)}`;
      const credentials = { tenant: account.scope.tenant, authorization, 'x-api-key': account.apiKey };
      const headers = { 'content-type': 'application/json', ...credentials };
      return async (path, body, signal = null) => {
        const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), signal });
        const responseHeaders = Object.fromEntries(response.headers);
        return { method: 'POST', path, status: response.status, headers: responseHeaders, body: await response.text() };
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await functions.close();
      await proxy.close();
      await engine.close();
    },
  };
}
