import type { TestEngine } from '../../support/engine/engine.ts';
import { newRequestParts } from '../../support/service/new-request-parts.ts';
import {
  portalRequests,
  type RequestName,
  type RequestParts,
  sendRequest,
} from '../../support/service/portal-requests.ts';

// With this number, a client reaches the rate limits sometimes, but not always.
const ACCOUNTS_PER_CLIENT = 8;

/** The number of each request in a hundred. */
const mix: Readonly<Record<RequestName, number>> = {
  'list-invoices': 30,
  'list-invoices with a search': 10,
  'get-invoice': 22,
  'validate-amount': 10,
  'declare-invoice': 12,
  'declare-batch': 6,
  'legacy-dispatch WSListarFacturas': 4,
  'legacy-dispatch WSDeclararFactura': 4,
  login: 2,
};
const hundred = Object.entries(mix).flatMap(([name, share]) => Array<RequestName>(share).fill(name as RequestName));

/** Clients that make requests without a pause. */
export type Load = Awaited<ReturnType<typeof startLoad>>;

/** Seeds the accounts of the clients, and starts the clients. */
export async function startLoad(url: string, engine: TestEngine, clients: number) {
  const seeded: RequestParts[] = [];
  for (let count = 0; count < clients * ACCOUNTS_PER_CLIENT; count++) seeded.push(await newRequestParts(engine));

  const responses = new Map<number, number>();
  const controller = new AbortController();
  const pickRandom = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item;
  async function work(accounts: readonly RequestParts[]): Promise<void> {
    for (let count = 0; !controller.signal.aborted; count++) {
      const request = portalRequests[pickRandom(hundred)]({ ...pickRandom(accounts), notes: `request ${count}` });
      const status = await sendRequest(url, request).then(
        (response) => response.status,
        () => 0,
      );
      responses.set(status, (responses.get(status) ?? 0) + 1);
    }
  }
  const working = Array.from({ length: clients }, (_, client) =>
    work(seeded.slice(client * ACCOUNTS_PER_CLIENT, (client + 1) * ACCOUNTS_PER_CLIENT)),
  );
  return {
    /** The number of responses so far, by status. Status 0 counts requests without a response. */
    responses: responses as ReadonlyMap<number, number>,
    /** Stops the clients, and waits for their requests in progress. */
    async stop() {
      controller.abort();
      await Promise.all(working);
    },
  };
}
