import { PortalError, REQUEST_LIMITS } from '../client/index.ts';
import type { InvoiceRow, PortalClient, ResponseInfo, Tolerance } from '../client/index.ts';
import { DAY_MS, listRanges } from '../client/list-ranges.ts';
import { toAmountCheck, toErrorObject } from '../contracts/to-response.ts';
import { evaluateDeclaration } from '../domain/declaration.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Language } from '../domain/language.ts';
import { decimal, normaliseDecimal } from '../domain/money.ts';
import { NO_NOTICE } from '../domain/notice.ts';
import { type LineResult, type RunOptions, selectUnchecked, toRejection } from './line-result.ts';

/** An invoice of the list, with the tolerance that applies to it. */
interface ListedInvoice {
  readonly row: InvoiceRow;
  readonly tolerance: Tolerance;
}

const SEARCHED_MS = 2 * 365 * DAY_MS;

/** Checks the unchecked lines: first all that lists contain, then the others by a request each. */
export async function checkLines(results: readonly LineResult[], options: RunOptions): Promise<void> {
  const { client, signal, language, onProgress } = options;
  const unlistedById = new Map(selectUnchecked(results).map((result) => [result.declaration.invoice_id, result]));
  for await (const listed of findInvoices([...unlistedById.keys()], client, signal)) {
    const { invoice_id: id } = listed.row;
    const result = unlistedById.get(id);
    if (!result) continue;
    unlistedById.delete(id);
    Object.assign(result, checkAmount(listed, result.declaration.amount, language));
    onProgress(1);
  }
  for (const result of unlistedById.values()) {
    Object.assign(result, await requestCheck(result, options));
    onProgress(1);
  }
}

/** Yields the listed invoices with these ids, newest first. Stops when as many reads had no match as ids are missing. */
export async function* findInvoices(
  ids: readonly string[],
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
      const query = { ...range, limit: REQUEST_LIMITS.pageMax, offset };
      const { rows, total, tolerance } = await client.listInvoices(query, { signal });
      const matches = rows.filter(({ invoice_id: id }) => missingIds.delete(id));
      readsWithoutMatch = matches.length > 0 ? 0 : readsWithoutMatch + 1;
      for (const row of matches) yield { row, tolerance };
      offset += rows.length;
      isLastPage = rows.length === 0 || offset >= total;
    }
  }
}

/**
 * Checks an amount by the rules of the service, without a request. The list does not show whether an invoice in REV or
 * APR requires a manual review. Therefore a declaration that would be approved without it may go to review.
 */
export function checkAmount(
  { row, tolerance }: ListedInvoice,
  amount: number,
  language: Language,
): Partial<LineResult> {
  const { invoice_id: invoiceId, state_code: state, system_amount: systemAmount } = row;
  const { mode, tolerance_pct: pct, tolerance_abs: abs, auto_approve: autoApprove, source } = tolerance;
  const toDecimal = (value: number | null) => (value === null ? null : decimal(value));
  const limits = { mode, pct: toDecimal(pct), abs: toDecimal(abs), autoApprove, source };
  const canRequireReview = state === 'REV' || state === 'APR';
  const unlistedValues = { requiresManualReview: false, notice: NO_NOTICE };
  const invoice = { invoiceId, state, systemAmount: decimal(systemAmount), ...unlistedValues };
  const declaredAmount = normaliseDecimal(amount);
  try {
    const outcome = evaluateDeclaration(invoice, declaredAmount, limits);
    const check = toAmountCheck(invoice, declaredAmount, outcome);
    if (check.action === 'REVIEW') return { outcome: 'would_go_to_review', tolerance: check };
    if (!canRequireReview) return { outcome: 'would_be_approved', tolerance: check };
    return { outcome: 'may_go_to_review', tolerance: { ...check, action: 'REVIEW' } };
  } catch (error) {
    if (error instanceof ServiceError) return toRejection(toErrorObject(error, language));
    throw error;
  }
}

/** Checks a line by a request. Throws an error that would also stop the check of the next line. */
async function requestCheck(result: LineResult, { client, signal }: RunOptions): Promise<Partial<LineResult>> {
  const { invoice_id, amount } = result.declaration;
  const onResponse = ({ requestId }: ResponseInfo) => {
    result.requestId = requestId;
  };
  try {
    const check = await client.validateAmount({ invoice_id, amount }, { signal, onResponse });
    return { outcome: check.action === 'REVIEW' ? 'would_go_to_review' : 'would_be_approved', tolerance: check };
  } catch (error) {
    const isLineError = error instanceof PortalError && ['NOT_FOUND', 'VALIDATION_ERROR'].includes(error.code);
    if (!isLineError) throw error;
    return toRejection(error);
  }
}
