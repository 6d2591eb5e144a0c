import { type TestEngine, startEngine } from '../engine/engine.ts';
import { startEngineProxy } from '../engine/engine-proxy.ts';
import { buildHeaders, type Invoke, loadHandlers } from './handlers.ts';
import { type Account, type AccountOverrides, seedAccount } from '../data/seed.ts';
import { seedSigningKey, issueToken } from './tokens.ts';

/** The functions of the service on their own engine. */
export type Portal = Awaited<ReturnType<typeof startPortal>>;

/** A portal whose functions call the engine through a proxy. The tests themselves use the engine directly. */
export type WatchedPortal = Awaited<ReturnType<typeof startWatchedPortal>>;

/** Starts an engine, and the functions in this process. */
export async function startPortal() {
  const engine = await startEngine();
  return startFunctions(engine, engine);
}

/** Starts an engine, a proxy in front of it, and the functions in this process. */
export async function startWatchedPortal() {
  const engine = await startEngine();
  const proxy = await startEngineProxy(engine);
  const portal = await startFunctions(engine, proxy.engine);
  return {
    ...portal,
    proxy,
    async close() {
      await proxy.close();
      await portal.close();
    },
  };
}

async function startFunctions(engine: TestEngine, functionEngine: TestEngine) {
  const signingKey = await seedSigningKey(engine);
  const invoke = await loadHandlers(functionEngine);

  /** Creates the function for the calls of an account, with a new token. */
  async function createInvoke(account: Account): Promise<Invoke> {
    const headers = buildHeaders(account, await issueToken(account.reference, signingKey));
    return (name, request = {}) => invoke(name, { ...request, headers: { ...headers, ...request.headers } });
  }

  return {
    engine,
    signingKey,
    /** Calls an endpoint without credentials. */
    invoke,
    createInvoke,
    /** Creates an account, and the function for its calls with token and API key. */
    async newCaller(overrides?: AccountOverrides) {
      const account = await seedAccount(engine, overrides);
      return { account, call: await createInvoke(account) };
    },
    close: () => engine.close(),
  };
}
