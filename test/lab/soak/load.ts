import type { TestEngine } from '../../support/engine/engine.ts';
import { newRequestParts } from '../../support/service/new-request-parts.ts';
import {
  portalRequests,
  type RequestName,
  type RequestParts,
  sendRequest,
} from '../../support/service/portal-requests.ts';

// With as many, a client meets the rate limits now and then, not all the time.
const ACCOUNTS_PER_CLIENT = 8;

/** How often each request is made, of a hundred. */
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
export interface Load {
  /** The answers so far, by status; 0: none came. */
  readonly answers: ReadonlyMap<number, number>;
  /** Waits for the requests under way, and makes no more. */
  stop(): Promise<void>;
}

/** Seeds the accounts of the clients, and sets the clients to work. */
export async function startLoad(url: string, engine: TestEngine, clients: number): Promise<Load> {
  const seeded: RequestParts[] = [];
  for (let count = 0; count < clients * ACCOUNTS_PER_CLIENT; count++) seeded.push(await newRequestParts(engine));

  const answers = new Map<number, number>();
  const stopping = new AbortController();
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item;
  async function work(accounts: readonly RequestParts[]): Promise<void> {
    for (let made = 0; !stopping.signal.aborted; made++) {
      const request = portalRequests[oneOf(hundred)]({ ...oneOf(accounts), notes: `request ${made}` });
      const status = await sendRequest(url, request).then(
        (answer) => answer.status,
        () => 0,
      );
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  }
  const working = Array.from({ length: clients }, (_, client) =>
    work(seeded.slice(client * ACCOUNTS_PER_CLIENT, (client + 1) * ACCOUNTS_PER_CLIENT)),
  );
  return {
    answers,
    async stop() {
      stopping.abort();
      await Promise.all(working);
    },
  };
}
