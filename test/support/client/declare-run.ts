import { createPortalClient } from '../../../lib/client/portal-client.ts';
import type { Declaration } from '../../../lib/client/portal-data.generated.ts';
import { declareLines, type DeclareOptions, type Run } from '../../../lib/client/examples/declare-csv/declare-lines.ts';
import { RequestLog } from '../../../lib/client/examples/declare-csv/request-log.ts';
import { credentials, success } from './scripted-portal.ts';

type Body = Declaration & { readonly declarations: readonly Declaration[] };

/**
 * What a scripted service answers to the n-th request (from 0) for logins, checks and batches; undefined: a success.
 */
export interface Script {
  readonly login?: (n: number) => Response | undefined;
  readonly check?: (n: number, invoiceId: string) => Response | Promise<Response> | undefined;
  readonly batch?: (n: number, signal: AbortSignal) => Response | Promise<Response> | undefined;
}

const outcomeOf = (amount: number) => ({
  action: amount < 100 ? 'AUTO_APPROVE' : 'REVIEW',
  difference: 1,
  difference_pct: 2,
});

const batchOf = ({ declarations }: Body) =>
  success({
    results: declarations.map(({ invoice_id, amount }) => ({
      invoice_id,
      success: true,
      declaration_id: `d-${invoice_id}`,
      declared_amount: amount,
      state_id: 3,
      tolerance: outcomeOf(amount),
    })),
  });

/**
 * Declares these amounts, on invoices 1, 2 and so on, with a scripted service on which time does not pass; amounts from
 * 100 go to review.
 */
export async function runDeclarations(
  amounts: readonly number[],
  { login = () => undefined, check = () => undefined, batch = () => undefined }: Script,
  options: Partial<DeclareOptions> = {},
): Promise<Run & { readonly logins: number; readonly batches: number; readonly steps: readonly string[] }> {
  let logins = 0;
  let checks = 0;
  let batches = 0;
  const steps: string[] = [];
  const requests = new RequestLog(async (input, init) => {
    const url = input as string;
    if (url.endsWith('/login')) return login(logins++) ?? success({ authorization: 'token' });
    const body = JSON.parse(init?.body as string) as Body;
    if (url.endsWith('/validate')) return (await check(checks++, body.invoice_id)) ?? success(outcomeOf(body.amount));
    return (await batch(batches++, init?.signal as AbortSignal)) ?? batchOf(body);
  });
  const client = createPortalClient({
    baseUrl: 'https://portal.example',
    ...credentials,
    fetch: requests.fetch,
    wait: async (_, signal) => signal?.throwIfAborted(),
  });
  const lines = amounts.map((amount, index) => ({
    line: index + 2,
    declaration: { invoice_id: `${index + 1}`, amount },
  }));
  const progress = {
    begin: (step: string, total: number) => void steps.push(`${step} ${total}`),
    advance() {},
    waiting() {},
    end: () => void steps.push('end'),
  };
  const run = await declareLines(lines, {
    client,
    requests,
    checkOnly: false,
    holdReview: false,
    progress,
    signal: new AbortController().signal,
    ...options,
  });
  return { ...run, logins, batches, steps };
}
