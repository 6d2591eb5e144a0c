import type { AmountCheck } from '../../index.ts';
import type { InvoiceLine } from './parse-invoices.ts';

/** What can become of a line, and how people are told. */
export const OUTCOMES = {
  approved: 'Approved automatically',
  review: 'Sent to review',
  would_be_approved: 'Would be approved automatically',
  would_go_to_review: 'Would be sent to review',
  rejected: 'Rejected',
  held: 'Held: would be sent to review',
  unknown: 'Unknown: was under way, run again (declaring twice does no harm)',
  not_declared: 'Not declared',
  not_checked: 'Not checked',
} as const;
export type Outcome = keyof typeof OUTCOMES;

/** What became of a line; `outcome` is all that is known of one that no request has dealt with. */
export interface LineResult {
  readonly outcome: Outcome;
  /** Of the declaration or, where there is none, of the check before it. */
  readonly tolerance?: Pick<AmountCheck, 'action' | 'difference' | 'difference_pct'>;
  readonly declarationId?: string;
  readonly error?: { readonly code: string; readonly message: string };
  /** By what the operators find the last request that dealt with the line. */
  readonly requestId?: string | null;
}

/** The lines of a file, in their order, with what became of each. */
export type Results = ReadonlyMap<InvoiceLine, LineResult>;
