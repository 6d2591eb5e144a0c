import { type AmountCheck, PortalError } from '../../index.ts';
import type { DeclareOptions } from './declare-options.ts';
import type { LineResult, Outcome } from './line-result.ts';
import type { InvoiceLine } from './parse-invoices.ts';

/** Asks what declaring each line would do, one after the other; what passes and is to be declared keeps its outcome. */
export async function checkAmounts(results: Map<InvoiceLine, LineResult>, options: DeclareOptions): Promise<void> {
  const { client, requests, progress, signal } = options;
  progress.begin('checking', results.size);
  for (const [line, { outcome }] of results) {
    const { invoice_id, amount } = line.declaration;
    requests.beginCall();
    try {
      const check = await client.validateAmount({ invoice_id, amount }, { signal });
      results.set(line, {
        outcome: outcomeOf(check, options) ?? outcome,
        tolerance: check,
        requestId: requests.requestId,
      });
    } catch (error) {
      if (!isAboutTheLine(error) || !requests.lastUrl?.endsWith('/validate')) throw error;
      const { code, requestId } = error;
      results.set(line, { outcome: 'rejected', error: { code, message: messageOf(error) }, requestId });
    }
    progress.advance(1);
  }
}

function outcomeOf({ action }: AmountCheck, { checkOnly, holdReview }: DeclareOptions): Outcome | undefined {
  if (action === 'REVIEW' && holdReview) return 'held';
  if (!checkOnly) return undefined;
  return action === 'REVIEW' ? 'would_go_to_review' : 'would_be_approved';
}

/** What the answer to a batch says of an item: the faults themselves, where there are some. */
function messageOf({ message, details }: PortalError): string {
  const faults = details.map(({ property, constraints }) => `${property}: ${Object.values(constraints).join(', ')}`);
  return faults.join('; ') || message;
}

/** What says nothing of the next line; after any other error that would fail too. */
function isAboutTheLine(error: unknown): error is PortalError {
  return error instanceof PortalError && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION_ERROR');
}
