/** The fields of a declaration in a request. */
export interface SentDeclaration {
  readonly invoice_id: string;
  readonly amount: number;
  readonly notes: string;
}

/** The endpoint of a request: for one declaration, or for a batch. */
export type Surface = 'declare' | 'declare-batch';

/** A request of the proof. Suppliers, users and invoices are indexes of lists. */
export interface PlannedRequest {
  readonly supplier: number;
  readonly user: number;
  readonly surface: Surface;
  readonly declarations: readonly PlannedDeclaration[];
  /** The time after which the client disconnects; undefined if it waits for the response. */
  readonly patienceMs?: number;
}

/** A declaration with unique notes. `invoice` is null for an invoice that does not exist. */
export interface PlannedDeclaration extends Pick<SentDeclaration, 'amount' | 'notes'> {
  readonly invoice: number | null;
}

/** The number of users and of invoices of a supplier. */
export const SUPPLIER = { users: 8, invoices: 60 } as const;

const HOT_INVOICES = 4;
const MAX_BATCH = 40;
const MAX_PATIENCE_MS = 3_000;
// Almost no response is this fast, so a client that disconnects this early does not learn the outcome.
const SHORT_PATIENCE_MS = 10;
// Slightly more than the limit of 10 writes per minute, so that some requests are throttled.
const REQUESTS_PER_USER = 10.2;

/**
 * Plans this many declarations, half of them single and half in batches. Most declarations of a supplier are sent in
 * parallel, and many are for the same few invoices.
 */
export function planProof(declarations: number, random: () => number): PlannedRequest[] {
  const pick = (end: number) => Math.floor(random() * end);
  const all = Array.from({ length: declarations }, (_, index): PlannedDeclaration => {
    const invoice = random() < 0.5 ? pick(HOT_INVOICES) : pick(SUPPLIER.invoices);
    return {
      invoice: random() < 0.01 ? null : invoice,
      amount: pick(200_000) / 100,
      notes: `declaration ${index + 1}`,
    };
  });
  const singles = all.splice(0, declarations / 2);
  const requests: Pick<PlannedRequest, 'surface' | 'declarations'>[] = singles.map((declaration) => ({
    surface: 'declare',
    declarations: [declaration],
  }));
  while (all.length > 0) requests.push({ surface: 'declare-batch', declarations: all.splice(0, 1 + pick(MAX_BATCH)) });

  const shuffled = requests.map((request) => ({ request, at: random() })).toSorted((a, b) => a.at - b.at);
  const perSupplier = Math.ceil(SUPPLIER.users * REQUESTS_PER_USER);
  return shuffled.map(({ request }, index) => ({
    ...request,
    supplier: Math.floor(index / perSupplier),
    user: index % SUPPLIER.users,
    ...(random() < 0.1 && { patienceMs: pick(random() < 0.5 ? SHORT_PATIENCE_MS : MAX_PATIENCE_MS) }),
  }));
}
