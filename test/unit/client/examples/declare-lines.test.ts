import { describe, expect, it } from 'vitest';
import {
  declareLines,
  type DeclareOptions,
  type Run,
} from '../../../../lib/client/examples/declare-csv/declare-lines.ts';
import type { Fetch } from '../../../../lib/client/exchange.ts';
import { createPortalClient } from '../../../../lib/client/portal-client.ts';
import type { Declaration } from '../../../../lib/client/portal-data.generated.ts';
import type { ErrorCode } from '../../../../lib/domain/errors.ts';
import { LIMITS } from '../../../../lib/domain/limits.ts';
import { credentials, failure, success } from '../../../support/client/scripted-portal.ts';

type Body = Declaration & { readonly declarations: readonly Declaration[] };

type Answer = Response | Promise<Response> | undefined;

/** The responses of a scripted service to the n-th request (from 0); undefined is a success. */
interface Script {
  readonly login?: (n: number) => Answer;
  readonly check?: (n: number) => Answer;
  readonly batch?: (n: number) => Answer;
}

const outcomeOf = (amount: number) => {
  return { action: amount < 100 ? 'AUTO_APPROVE' : 'REVIEW', difference: 1, difference_pct: 2 };
};

const batchOf = ({ declarations }: Body) =>
  success({
    results: declarations.map(({ invoice_id, amount }) => {
      const declared = { declaration_id: `d-${invoice_id}`, declared_amount: amount, state_id: 3 };
      return { invoice_id, success: true, ...declared, tolerance: outcomeOf(amount) };
    }),
  });

/**
 * Declares these amounts, on invoices 1, 2 and so on, with a scripted service on which time does not pass; amounts from
 * 100 go to review.
 */
async function runDeclarations(
  amounts: readonly number[],
  { login = () => undefined, check = () => undefined, batch = () => undefined }: Script,
  options: Partial<DeclareOptions> = {},
) {
  const count = { logins: 0, checks: 0, batches: 0 };
  const steps: string[] = [];
  const fetch: Fetch = async (url, init) => {
    if (url.endsWith('/login')) return (await login(count.logins++)) ?? success({ authorization: 'token' });
    const body = JSON.parse(init?.body as string) as Body;
    if (url.endsWith('/validate')) return (await check(count.checks++)) ?? success(outcomeOf(body.amount));
    return (await batch(count.batches++)) ?? batchOf(body);
  };
  const client = createPortalClient({
    ...{ baseUrl: 'https://portal.example', ...credentials, fetch },
    wait: async (_, signal) => signal?.throwIfAborted(),
  });
  const declarations = amounts.map((amount, index) => ({ invoice_id: `${index + 1}`, amount }));
  const lines = declarations.map((declaration, index) => ({ line: index + 2, declaration }));
  const begin = (step: string, total: number) => void steps.push(`${step} ${total}`);
  const progress = { begin, advance() {}, showWait() {}, end: () => void steps.push('end') };
  const { signal } = new AbortController();
  const plain = { client, checkOnly: false, holdReview: false, progress, signal };
  const run = await declareLines(lines, { ...plain, ...options });
  return { ...run, ...count, steps };
}

const outcomesOf = ({ results }: Run) => results.map(({ outcome }) => outcome);
const countsOf = (run: Run) => {
  const groups = Map.groupBy(outcomesOf(run), (outcome) => outcome);
  return Object.fromEntries([...groups].map(([outcome, of]) => [outcome, of.length]));
};
const BATCH = LIMITS.batchItems;
const some = (count: number) => Array.from({ length: count }, () => 1);
const noAnswer = () => Promise.reject(new TypeError('fetch failed'));

describe('lines of a file', () => {
  it('are declared in batches of the maximum size, without a check of each line', async () => {
    const run = await runDeclarations([...some(2 * BATCH), 100], {});
    expect(countsOf(run)).toEqual({ approved: 2 * BATCH, review: 1 });
    expect(run).toMatchObject({ checks: 0, batches: 3, steps: [`declaring ${2 * BATCH + 1}`, 'end'] });
    expect(run).not.toHaveProperty('stoppedBy');
    const tolerance = { action: 'REVIEW', difference: 1, difference_pct: 2 };
    const review = { outcome: 'review', declarationId: `d-${2 * BATCH + 1}`, tolerance, requestId: 'request-1' };
    expect(run.results.at(-1)).toMatchObject(review);
  });

  const tolerance = { action: 'REVIEW', difference: 9, difference_pct: 9 };
  const declared = { success: true, declaration_id: 'd', declared_amount: 1, state_id: 4, tolerance };
  const failed = (code: string) => ({ success: false, error: { code, message: code } });
  const details = [{ property: 'declarations[0].notes', constraints: { maxLength: 'too long' } }];
  const invalid = { success: false, error: { code: 'VALIDATION_ERROR', message: 'Invalid request', details } };
  it.each([
    ['are unknown after an INTERNAL_ERROR', failed('INTERNAL_ERROR'), { outcome: 'unknown' }],
    [
      'that are rejected have the error of the service',
      failed('NOT_FOUND'),
      { outcome: 'rejected', error: { message: 'NOT_FOUND' } },
    ],
    ['that are invalid have the errors of their properties', invalid, { error: { message: 'notes: too long' } }],
    ['have the outcome of the declaration, not of the check', declared, { outcome: 'review', tolerance }],
    ['are unknown if the response omits them', undefined, { outcome: 'unknown' }],
  ])('%s', async (_, item, expected) => {
    const results = item ? [{ invoice_id: '1', ...item }] : [];
    const run = await runDeclarations(some(1), { batch: () => success({ results }) }, { holdReview: true });
    expect(run.results).toMatchObject([expected]);
  });

  it.each([
    ['are only checked', { checkOnly: true }, [1, 100], ['would_be_approved', 'would_go_to_review'], 0],
    ['are held if they would go to review', { holdReview: true }, [1, 100], ['approved', 'held'], 1],
    ['are all held if all would go to review', { holdReview: true }, [100, 100], ['held', 'held'], 0],
  ])('%s, with the option', async (_, options, amounts, outcomes, batches) => {
    const run = await runDeclarations(amounts, {}, options);
    expect([outcomesOf(run), run.batches]).toEqual([outcomes, batches]);
  });
});

const failing = (code: ErrorCode) => () => failure(code);
const afterOne = (answer: () => Answer) => ({ batch: (n: number) => (n === 0 ? undefined : answer()) });
const [refusing, broken] = [afterOne(failing('COMPANY_SUSPENDED')), afterOne(failing('INTERNAL_ERROR'))];
const refusingAfter = (first: ErrorCode) => ({ batch: (n: number) => failure(n === 0 ? first : 'COMPANY_SUSPENDED') });
const DECLARED = `${BATCH} approved`;
const nonsense = { batch: () => new Response('<html>') };

describe('a permanent failure of the service', () => {
  // An exclamation mark follows the outcome of lines with the error.
  it.each<[string, number, Script, ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE', string]>([
    ['rejects the login', 3, { login: failing('NOT_FOUND') }, 'NOT_FOUND', '3 not_declared'],
    [
      'rejects the second batch',
      2 * BATCH + 50,
      refusing,
      'COMPANY_SUSPENDED',
      `${DECLARED}, ${BATCH} not_declared!, 50 not_declared`,
    ],
    [
      'fails from the second batch on',
      2 * BATCH + 50,
      broken,
      'INTERNAL_ERROR',
      `${DECLARED}, ${BATCH} unknown!, 50 not_declared`,
    ],
    ['does not respond', 2, { batch: noAnswer }, 'NETWORK_ERROR', '2 unknown!'],
    ['responds with HTML', 2, nonsense, 'INVALID_RESPONSE', '2 unknown!'],
    [
      'rejects the batch again after a new login',
      1,
      refusingAfter('TOKEN_EXPIRED'),
      'COMPANY_SUSPENDED',
      '1 not_declared!',
    ],
    ['rejects the batch after an error', 1, refusingAfter('INTERNAL_ERROR'), 'COMPANY_SUSPENDED', '1 unknown!'],
  ])('leaves the right outcome of each line: %s', async (_, lines, script, code, told) => {
    const run = await runDeclarations(some(lines), script, { holdReview: true });
    const words = run.results.map(({ outcome, error }) => (error?.code === code ? `${outcome}!` : outcome));
    const groups = [...Map.groupBy(words, (word) => word)].map(([word, { length }]) => `${length} ${word}`);
    expect([groups.join(', '), run.stoppedBy]).toEqual([told, expect.objectContaining({ code })]);
  });

  it('during the checks leaves all lines undeclared, and lines that failed their check rejected', async () => {
    const check = (n: number) => (n === 0 ? undefined : failure(n === 1 ? 'NOT_FOUND' : 'COMPANY_SUSPENDED'));
    const run = await runDeclarations(some(4), { check }, { holdReview: true });
    expect(outcomesOf(run)).toEqual(['not_declared', 'rejected', 'not_declared', 'not_declared']);
    const error = { code: 'NOT_FOUND', message: 'The message of NOT_FOUND.' };
    expect(run.results[1]).toMatchObject({ outcome: 'rejected', error, requestId: 'request-1' });
    expect(run).toMatchObject({ batches: 0, stoppedBy: { code: 'COMPANY_SUSPENDED', requestId: 'request-1' } });
    const checked = await runDeclarations(some(4), { check }, { checkOnly: true });
    expect(outcomesOf(checked)).toEqual(['would_be_approved', 'rejected', 'not_checked', 'not_checked']);
  });
});

it('an interruption during a batch leaves this batch unknown, and the other lines undeclared', async () => {
  const stop = new AbortController();
  const batch = (n: number) => (n === 0 ? undefined : (stop.abort(), noAnswer()));
  const run = await runDeclarations(some(2 * BATCH + 50), { batch }, { signal: stop.signal });
  expect(countsOf(run)).toEqual({ approved: BATCH, unknown: BATCH, not_declared: 50 });
  expect(run.stoppedBy).toBe(stop.signal.reason);
});
