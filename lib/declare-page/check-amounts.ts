import { type InvoiceRow, type PortalClient, REQUEST_LIMITS, type Tolerance } from '../client/index.ts';
import { DAY_MS, listRanges } from '../client/list-ranges.ts';
import { toAmountCheck } from '../contracts/to-response.ts';
import { evaluateDeclaration } from '../domain/declaration.ts';
import { decimal, normaliseDecimal } from '../domain/money.ts';
import { NO_NOTICE } from '../domain/notice.ts';

/** An invoice of the list, with the tolerance that applies to it. */
export interface ListedInvoice {
  readonly row: InvoiceRow;
  readonly tolerance: Tolerance;
}

const SEARCHED_MS = 2 * 365 * DAY_MS;

/** A JSON number has 15 exact digits, so that an amount of 9 digits and 6 decimals is exact. */
const EXACT_BELOW = 1e9;

/** Yields the listed invoices with these ids, newest first, until checking the missing ones one by one is as fast. */
export async function* findInvoices(
  ids: Iterable<string>,
  client: Pick<PortalClient, 'listInvoices'>,
  signal?: AbortSignal,
): AsyncGenerator<ListedInvoice, void> {
  const missingIds = new Set(ids);
  let readsWithoutMatch = 0;
  for (const range of listRanges(Date.now() - SEARCHED_MS)) {
    let offset = 0;
    let isLastPage = false;
    while (!isLastPage) {
      if (readsWithoutMatch >= missingIds.size) return;
      const { rows, total, tolerance } = await client.listInvoices(
        { ...range, limit: REQUEST_LIMITS.pageMax, offset },
        { signal },
      );
      const matches = rows.filter(({ invoice_id: id }) => missingIds.delete(id));
      readsWithoutMatch = matches.length > 0 ? 0 : readsWithoutMatch + 1;
      for (const row of matches) yield { row, tolerance };
      offset += rows.length;
      isLastPage = rows.length === 0 || offset >= total;
    }
  }
}

/**
 * Checks an amount by the rules of the service. Returns null if the list does not show the result, because an
 * invoice in REV or APR can require a manual review, or a large system amount can have lost digits. Throws the
 * ServiceError with which the service would reject the amount.
 */
export function checkAmount({ row, tolerance }: ListedInvoice, amount: number) {
  const { invoice_id: invoiceId, state_code: state, system_amount: systemAmount } = row;
  const { mode, tolerance_pct: pct, tolerance_abs: abs, auto_approve: autoApprove, source } = tolerance;
  const toDecimal = (value: number | null) => (value === null ? null : decimal(value));
  const limits = { mode, pct: toDecimal(pct), abs: toDecimal(abs), autoApprove, source };
  // The list does not contain these values.
  const unlisted = { requiresManualReview: false, notice: NO_NOTICE };
  const invoice = { invoiceId, state, systemAmount: decimal(systemAmount), ...unlisted };
  const declaredAmount = normaliseDecimal(amount);
  const outcome = evaluateDeclaration(invoice, declaredAmount, limits);
  const canRequireReview = (state === 'REV' || state === 'APR') && outcome.action === 'AUTO_APPROVE';
  if (canRequireReview || systemAmount >= EXACT_BELOW) return null;
  return toAmountCheck(invoice, declaredAmount, outcome);
}
