import { createGateway } from '../../../infra/local/gateway.ts';
import { LocalFunction, type Outcome } from '../../../infra/local/local-function.ts';
import { listen, localHost } from '../../../infra/local/ports.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';
import type { HttpAnswer } from '../answers/contract-faults.ts';
import { startEngine } from '../engine/engine.ts';
import { startEngineProxy } from '../engine/engine-proxy.ts';
import type { Account } from '../data/seed.ts';
import { seedSigningKey, tokenFor } from './tokens.ts';

/** Sends JSON to a path of the service; rejects when the signal is aborted first. */
export type Post = (path: string, body: object, signal?: AbortSignal | null) => Promise<HttpAnswer>;

/** The deployed functions behind the local gateway, on an engine behind a proxy, with little time for each request. */
export type ImpatientService = Awaited<ReturnType<typeof startImpatientService>>;

type Failure = Extract<Outcome, { failure: unknown }>['failure'];

class WatchedFunction extends LocalFunction {
  readonly failures: Failure[] = [];
  override async invoke(event: unknown, requestId?: string): Promise<Outcome> {
    const outcome = await super.invoke(event, requestId);
    if ('failure' in outcome) this.failures.push(outcome.failure);
    return outcome;
  }
}

/** Starts the service; every function has so many seconds for a request, and the seed is the proxy's. */
export async function startImpatientService(timeoutSeconds: number, seed?: number) {
  const engine = await startEngine();
  const proxy = await startEngineProxy(engine, seed);
  const signingKey = await seedSigningKey(engine);
  const stack = readStack();
  const clock = new VirtualClock();
  const lines: string[] = [];
  const readLine = (line: string) => void lines.push(line);
  const surroundings = { endpoint: proxy.engine.endpoint, clock, readLine };
  const functions = new Map(
    stack.functions.map((definition) => [
      definition.id,
      new WatchedFunction({ ...definition, timeoutSeconds }, surroundings),
    ]),
  );
  const getFunction = (id: string) => functions.get(id)!;
  // Loaded now, so that no request spends its time on it.
  const declaring = stack.routes.filter(({ segments }) => segments.at(-1)?.startsWith('declare'));
  await Promise.all(declaring.map(({ functionId }) => getFunction(functionId).load()));
  const server = createGateway({ stack, getFunction, clock, pages: {} });
  const url = `http://${localHost}:${await listen(server, 0)}`;

  return {
    engine,
    proxy,
    /** How the invocations ended that ended without an answer of their function. */
    failures: () => [...functions.values()].flatMap(({ failures }) => failures),
    /** What an account sends, with a token issued now. */
    postOf: async (account: Account): Promise<Post> => {
      const authorization = `Bearer ${await tokenFor(account.reference, signingKey)}`;
      const credentials = { tenant: account.scope.tenant, authorization, 'x-api-key': account.apiKey };
      const headers = { 'content-type': 'application/json', ...credentials };
      return async (path, body, signal = null) => {
        const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), signal });
        const answer = { status: response.status, headers: Object.fromEntries(response.headers) };
        return { method: 'POST', path, ...answer, body: await response.text() };
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await Promise.all([...functions.values()].map((each) => each.close()));
      await proxy.close();
      await engine.close();
    },
  };
}
