import { describe, expect, it } from 'vitest';
import { declareLines } from '../../../lib/declare-csv/declare-lines.ts';
import type { DeclareOptions, Run } from '../../../lib/declare-csv/declare-lines.ts';
import type { Declaration } from '../../../lib/client/portal-data.generated.ts';
import type { ErrorCode } from '../../../lib/domain/errors.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { buildFailure, buildSuccess, times } from '../../support/client/scripted-portal.ts';
import { createScriptedPortal, type ScriptedResponse } from '../../support/client/scripted-portal.ts';

type Script = Parameters<typeof createScriptedPortal>[0];

const buildTolerance = (amount: number) => {
  return { action: amount < 100 ? 'AUTO_APPROVE' : 'REVIEW', difference: 1, difference_pct: 2 };
};

/** Invoices 1 to 9 are in the list. Their system amount is 0, and amounts below 100 are within the tolerance. */
const list = (state = 'PEN') => {
  const rows = Array.from('123456789', (id) => ({ invoice_id: id, state_code: state, system_amount: 0 }));
  const tolerance = { mode: 'ABS', tolerance_pct: null, tolerance_abs: 99, auto_approve: true, source: 'global' };
  return buildSuccess({ rows, tolerance }, { total: rows.length });
};

/** Accepts a list, a check or a batch. Amounts from 100 on require a review. */
const accepted: ScriptedResponse = ({ method, body = '' }) => {
  if (method === 'GET') return list();
  const { amount, declarations } = JSON.parse(body) as Declaration & { declarations?: readonly Declaration[] };
  const results = declarations?.map((item) => {
    const declared = { declaration_id: `d-${item.invoice_id}`, declared_amount: item.amount, state_id: 3 };
    return { invoice_id: item.invoice_id, success: true, ...declared, tolerance: buildTolerance(item.amount) };
  });
  return buildSuccess(results ? { results } : buildTolerance(amount));
};

/** Declares these amounts for the invoices 1, 2 and so on. After its script, the service accepts every request. */
async function runDeclarations(
  amounts: readonly number[],
  { logins, calls = [] }: Script = {},
  options: Partial<DeclareOptions> = {},
) {
  const script = { ...(logins && { logins }), calls: [...calls, ...Array<ScriptedResponse>(9).fill(accepted)] };
  const { client, requests } = createScriptedPortal(script);
  const steps: string[] = [];
  const begin = (step: string, total: number) => void steps.push(`${step} ${total}`);
  const progress = { begin, advance() {}, showWait() {}, end: () => void steps.push('end') };
  const lines = amounts.map((amount, index) => ({
    line: index + 2,
    declaration: { invoice_id: `${index + 1}`, amount },
  }));
  const { signal } = new AbortController();
  const plain = { client, language: 'en', checkOnly: false, holdReview: false, progress, signal } as const;
  const run = await declareLines(lines, { ...plain, ...options });
  return { ...run, steps, sent: requests.map(({ url }) => /[^/]*$/.exec(url.split('?')[0] ?? '')?.[0]) };
}

const listOutcomes = ({ results }: Run) => results.map(({ outcome }) => outcome);
/** Counts the outcomes. An exclamation mark follows an outcome with this error code. */
const summariseRun = ({ results }: Run, code?: string) => {
  const words = results.map(({ outcome, error }) => (code && error?.code === code ? `${outcome}!` : outcome));
  return [...Map.groupBy(words, (word) => word)].map(([word, { length }]) => `${length} ${word}`).join(', ');
};
const BATCH = LIMITS.batchItems;
const fillOnes = (count: number) => Array<number>(count).fill(1);
const failToConnect: ScriptedResponse = () => Promise.reject(new TypeError('fetch failed'));
const suspended = () => buildFailure('COMPANY_SUSPENDED');
const lostThenRejected = { calls: [failToConnect, buildFailure('COMPANY_SUSPENDED')] };
const rejectRetryAfter = (code: ErrorCode) => ({ calls: [buildFailure(code), suspended()] });

describe('declaring the lines of a file', () => {
  it('lines are declared in batches of the maximum size, without a check of each line', async () => {
    const run = await runDeclarations([...fillOnes(2 * BATCH), 100]);
    expect(summariseRun(run)).toBe(`${2 * BATCH} approved, 1 review`);
    expect(run.sent).toEqual(['login', ...Array<string>(3).fill('declare-batch')]);
    expect(run.steps).toEqual(['end', `declaring ${2 * BATCH + 1}`, 'end']);
    expect(run).not.toHaveProperty('stoppedBy');
    const review = { outcome: 'review', declarationId: `d-${2 * BATCH + 1}`, tolerance: buildTolerance(100) };
    expect(run.results.at(-1)).toMatchObject({ ...review, requestId: 'request-1' });
  });

  const tolerance = { action: 'REVIEW', difference: 9, difference_pct: 9 };
  const declared = { success: true, declaration_id: 'd', declared_amount: 1, state_id: 4, tolerance };
  const reject = (code: string, details?: object[]) => ({ success: false, error: { code, message: code, details } });
  const details = [{ property: 'declarations[0].notes', constraints: { maxLength: 'too long' } }];
  it.each([
    ['is unknown after an INTERNAL_ERROR', reject('INTERNAL_ERROR'), { outcome: 'unknown' }],
    ['has the error if it is rejected', reject('NOT_FOUND'), { outcome: 'rejected', error: { message: 'NOT_FOUND' } }],
    ['has property errors if it is invalid', reject('X', details), { error: { message: 'notes: too long' } }],
    ['has the outcome of the declaration, not of the check', declared, { outcome: 'review', tolerance }],
    ['is unknown if the response omits it', undefined, { outcome: 'unknown' }],
  ])('a declared line %s', async (_, item, expected) => {
    const results = item ? [{ invoice_id: '1', ...item }] : [];
    const script = { calls: [accepted, buildSuccess({ results })] };
    const run = await runDeclarations(fillOnes(1), script, { holdReview: true });
    expect(run.results).toMatchObject([expected]);
  });

  it.each([
    ['are only checked with checkOnly', { checkOnly: true }, [1, 100], ['would_be_approved', 'would_go_to_review'], 1],
    ['are held with holdReview if they would go to review', { holdReview: true }, [1, 100], ['approved', 'held'], 2],
    ['are all held with holdReview if all would go to review', { holdReview: true }, [100, 100], ['held', 'held'], 1],
  ])('lines %s', async (_, options, amounts, outcomes, calls) => {
    const run = await runDeclarations(amounts, {}, options);
    expect([listOutcomes(run), run.sent.length]).toEqual([outcomes, 1 + calls]);
  });
});

describe('a run that asks for confirmation', () => {
  it('all lines are checked before the question, and the lines that the check has not rejected are declared', async () => {
    const asked: string[][] = [];
    const confirm = async (results: Run['results']) => {
      asked.push(results.map(({ outcome, tolerance }) => `${outcome} ${tolerance?.action}`));
      return true;
    };
    const run = await runDeclarations([1, 100], {}, { confirm });
    expect(asked).toEqual([['not_declared AUTO_APPROVE', 'not_declared REVIEW']]);
    expect([listOutcomes(run), run.sent]).toEqual([
      ['approved', 'review'],
      ['login', 'invoices', 'declare-batch'],
    ]);
  });

  it('no line is declared if the user does not confirm', async () => {
    const run = await runDeclarations([1, 100], {}, { confirm: async () => false });
    expect(run).toMatchObject({ isDeclined: true, sent: ['login', 'invoices'] });
    expect(listOutcomes(run)).toEqual(['not_declared', 'not_declared']);
  });
});

it('a line is checked by a request if the list does not show the result', async () => {
  const calls = [() => list('REV'), buildFailure('NOT_FOUND'), buildSuccess({ action: 'REVIEW' }), accepted];
  const run = await runDeclarations([100, ...fillOnes(8)], { calls }, { checkOnly: true });
  // An amount outside the tolerance goes to review; an amount within it may go to review, too.
  expect(run.results[0]).toMatchObject({ outcome: 'would_go_to_review', tolerance: { within_tolerance: false } });
  expect(listOutcomes(run).slice(1, 4)).toEqual(['rejected', 'would_go_to_review', 'would_be_approved']);
  expect(run.sent).toEqual(['login', 'invoices', ...Array<string>(8).fill('validate')]);
});

it('a line of a settled invoice is rejected in the language of the run, without a request', async () => {
  const run = await runDeclarations([1], { calls: [() => list('LIQ')] }, { checkOnly: true, language: 'es' });
  const message = 'invoice_id: una factura liquidada (LIQ) no puede declararse';
  expect(run.results).toMatchObject([{ outcome: 'rejected', error: { code: 'VALIDATION_ERROR', message } }]);
  expect(run.sent).toEqual(['login', 'invoices']);
});

describe('a permanent failure of the service', () => {
  const rest = `${BATCH} not_declared!, 50 not_declared`;
  const secondBatchFails = { calls: [accepted, ...times(5, () => buildFailure('INTERNAL_ERROR'))] };
  const secondBatchUnknown = `${BATCH} approved, ${BATCH} unknown!, 50 not_declared`;
  it.each<[string, number, Script, ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE', string]>([
    ['rejects the login', 3, { logins: [buildFailure('NOT_FOUND')] }, 'NOT_FOUND', '3 not_declared'],
    ['rejects the first batch', BATCH + 50, { calls: [suspended()] }, 'COMPANY_SUSPENDED', rest],
    ['fails from the second batch on', 2 * BATCH + 50, secondBatchFails, 'INTERNAL_ERROR', secondBatchUnknown],
    ['does not respond', 2, { calls: Array(5).fill(failToConnect) }, 'NETWORK_ERROR', '2 unknown!'],
    ['responds with HTML', 2, { calls: [new Response('<html>')] }, 'INVALID_RESPONSE', '2 unknown!'],
    ['rejects a retry after a 401', 1, rejectRetryAfter('TOKEN_EXPIRED'), 'COMPANY_SUSPENDED', '1 not_declared!'],
    ['rejects a retry after a lost response', 1, lostThenRejected, 'COMPANY_SUSPENDED', '1 unknown!'],
    ['rejects a retry after a 500', 1, rejectRetryAfter('INTERNAL_ERROR'), 'COMPANY_SUSPENDED', '1 unknown!'],
  ])('each line has the correct outcome if the service %s', async (_, lines, script, code, summary) => {
    const run = await runDeclarations(fillOnes(lines), script);
    expect([summariseRun(run, code), run.stoppedBy]).toEqual([summary, expect.objectContaining({ code })]);
  });

  it('no line is declared if the service fails during the checks, and a line with a failed check is rejected', async () => {
    const emptyLists = () => times(4, () => buildSuccess({}, { total: 0 }));
    const script = () => ({ calls: [...emptyLists(), accepted, buildFailure('NOT_FOUND'), suspended()] });
    const run = await runDeclarations(fillOnes(4), script(), { holdReview: true });
    expect(listOutcomes(run)).toEqual(['not_declared', 'rejected', 'not_declared', 'not_declared']);
    const error = { code: 'NOT_FOUND', message: 'The message of NOT_FOUND.' };
    expect(run.results[1]).toMatchObject({ outcome: 'rejected', error, requestId: 'request-1' });
    expect(run).toMatchObject({ stoppedBy: { code: 'COMPANY_SUSPENDED', requestId: 'request-1' } });
    expect(run.sent).not.toContain('declare-batch');
    const checked = await runDeclarations(fillOnes(4), script(), { checkOnly: true });
    expect(listOutcomes(checked)).toEqual(['would_be_approved', 'rejected', 'not_checked', 'not_checked']);
  });
});

it('the lines of an interrupted batch are unknown, and the lines after it are not declared', async () => {
  const stop = new AbortController();
  const aborted: ScriptedResponse = () => (stop.abort(), Promise.reject(new TypeError('fetch failed')));
  const run = await runDeclarations(fillOnes(2 * BATCH + 50), { calls: [accepted, aborted] }, { signal: stop.signal });
  expect(summariseRun(run)).toBe(`${BATCH} approved, ${BATCH} unknown, 50 not_declared`);
  expect(run.stoppedBy).toBe(stop.signal.reason);
});
