import type { HttpAnswer } from '../support/answers/contract-faults.ts';
import type { Post } from '../support/service/impatient-service.ts';

/** A declaration as it is sent. */
export interface SentDeclaration {
  readonly invoice_id: string;
  readonly amount: number;
  readonly notes: string;
}

/** How declarations are sent: one alone, or all in a batch. */
export type Surface = 'declare' | 'declare-batch';

/** What an answer says about one declaration; code and message only where it was not declared. */
export interface ToldOutcome {
  readonly declared: boolean;
  readonly code?: string;
  readonly message?: string;
}

/** Sends declarations; of several, only a batch may hold all. */
export function declare(
  post: Post,
  surface: Surface,
  declarations: readonly SentDeclaration[],
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const body = surface === 'declare' ? { ...declarations[0] } : { declarations };
  return post(`/apidev/v1/supplier-portal/invoices/${surface}`, body, signal);
}

/** What an answer says about each of so many declarations, in their order. */
export function outcomesIn({ body }: HttpAnswer, count: number): ToldOutcome[] {
  const { data, error } = JSON.parse(body) as { data?: { results?: Result[] } & Result; error?: Result['error'] };
  if (error || !data) return Array.from({ length: count }, () => ({ declared: false, ...error }));
  return (data.results ?? [data]).map((result) => ({ declared: !result.error, ...result.error }));
}

interface Result {
  readonly error?: { readonly code: string; readonly message: string };
}
