import { type Backoff, jitteredPause } from '../../runtime/backoff.ts';
import type { WrongRow } from '../ports/audits.ts';

/** What differs from the invoices: a row, how many of a day's invoices are in a state, or which they are. */
export type Difference = { readonly repaired: boolean } & (
  | ({ readonly kind: 'row' } & Pick<WrongRow, 'invoiceId' | 'fault' | 'list' | 'date'>)
  | {
      readonly kind: 'counter';
      readonly day: string;
      readonly state: string;
      readonly counted: number;
      readonly stored: number;
    }
  | { readonly kind: 'fingerprint'; readonly day: string }
);

/** What kept being changed while it was read: the rows of an invoice, or a month (yyyy-mm). */
export type Busy = { readonly kind: 'busy' } & ({ readonly invoiceId: string } | { readonly month: string });

/** What an audit tells of a supplier. */
export type Finding = Difference | Busy;

/** Whether to set right what differs, and who hears of it. */
export interface VerifyOptions {
  readonly repair: boolean;
  readonly report: (finding: Finding) => void;
}

const MAX_ATTEMPTS = 12;
const BACKOFF: Backoff = { firstMs: 10, longestMs: 1000 };

/** Attempts at what other writers may disturb, with growing pauses between them. */
export async function* attempts(): AsyncGenerator<number, void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await jitteredPause(attempt, BACKOFF);
    yield attempt;
  }
}
