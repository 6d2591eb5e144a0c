/** A declaration as it is sent. */
export interface SentDeclaration {
  readonly invoice_id: string;
  readonly amount: number;
  readonly notes: string;
}

/** The endpoint that gets declarations: one alone, or all in a batch. */
export type Surface = 'declare' | 'declare-batch';

/** A request of the proof; users and invoices are places in the lists of its supplier. */
export interface PlannedRequest {
  readonly supplier: number;
  readonly user: number;
  readonly surface: Surface;
  readonly declarations: readonly PlannedDeclaration[];
  /** When the client hangs up; undefined for one that waits. */
  readonly patienceMs?: number;
}

/** A declaration with notes that no other one has; the invoice is null where it shall be one that does not exist. */
export interface PlannedDeclaration extends Pick<SentDeclaration, 'amount' | 'notes'> {
  readonly invoice: number | null;
}

/** How many users a supplier has, and how many invoices. */
export const SUPPLIER = { users: 8, invoices: 60 } as const;

const HOT_INVOICES = 4;
const MAX_BATCH = 40;
const MAX_PATIENCE_MS = 3_000;
// Nearly no response is as fast, so a client that hangs up this early never knows the outcome.
const SHORT_PATIENCE_MS = 10;
// A bit more than the limit of 10 writes a minute lets pass.
const REQUESTS_PER_USER = 10.2;

/**
 * Plans so many declarations, half of them alone and half of them in batches; most of a supplier's come side by side,
 * many for the same few invoices.
 */
export function planProof(declarations: number, random: () => number): PlannedRequest[] {
  const below = (end: number) => Math.floor(random() * end);
  const all = Array.from({ length: declarations }, (_, index): PlannedDeclaration => {
    const invoice = random() < 0.5 ? below(HOT_INVOICES) : below(SUPPLIER.invoices);
    return {
      invoice: random() < 0.01 ? null : invoice,
      amount: below(200_000) / 100,
      notes: `declaration ${index + 1}`,
    };
  });
  const singles = all.splice(0, declarations / 2);
  const requests: Pick<PlannedRequest, 'surface' | 'declarations'>[] = singles.map((declaration) => ({
    surface: 'declare',
    declarations: [declaration],
  }));
  while (all.length > 0) requests.push({ surface: 'declare-batch', declarations: all.splice(0, 1 + below(MAX_BATCH)) });

  const inAnyOrder = requests.map((request) => ({ request, at: random() })).toSorted((a, b) => a.at - b.at);
  const perSupplier = Math.ceil(SUPPLIER.users * REQUESTS_PER_USER);
  return inAnyOrder.map(({ request }, place) => ({
    ...request,
    supplier: Math.floor(place / perSupplier),
    user: place % SUPPLIER.users,
    ...(random() < 0.1 && { patienceMs: below(random() < 0.5 ? SHORT_PATIENCE_MS : MAX_PATIENCE_MS) }),
  }));
}
