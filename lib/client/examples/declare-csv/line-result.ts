import type { AmountCheck } from '../../index.ts';
import type { InvoiceLine } from './parse-invoices.ts';
import type { runTexts } from './texts/run.ts';

/** What can become of a line. */
export type Outcome = keyof typeof runTexts.outcomes;

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
