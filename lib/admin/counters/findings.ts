import type { AttemptLimits } from '../../runtime/attempts.ts';
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

/** How often what other writers may disturb is tried, and the pauses between. */
export const RETRIES: AttemptLimits = { most: 12, firstMs: 10, longestMs: 1000 };
