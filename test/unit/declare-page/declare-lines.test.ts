import { describe, expect, it } from 'vitest';
import { checkLines } from '../../../lib/declare-page/check-lines.ts';
import { declareLines } from '../../../lib/declare-page/declare-lines.ts';
import { type LineResult, type Outcome, selectDeclarable } from '../../../lib/declare-page/line-result.ts';
import type { Declaration } from '../../../lib/client/portal-data.generated.ts';
import type { ErrorCode } from '../../../lib/domain/errors.ts';
import type { Language } from '../../../lib/domain/language.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { buildFailure, buildSuccess, times } from '../../support/client/scripted-portal.ts';
import { createScriptedPortal, type ScriptedResponse } from '../../support/client/scripted-portal.ts';

type Script = Parameters<typeof createScriptedPortal>[0];
interface Settings {
  /** The outcome of the lines before the step. */
  readonly outcome?: Outcome;
  readonly language?: Language;
  readonly signal?: AbortSignal;
}

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

/** Runs a step with these amounts for the invoices 1, 2 and so on. After its script, the service accepts everything. */
async function run(
  step: typeof checkLines,
  amounts: readonly number[],
  { logins, calls = [] }: Script = {},
  { outcome = 'not_checked', language = 'en', signal = new AbortController().signal }: Settings = {},
) {
  const script = { ...(logins && { logins }), calls: [...calls, ...Array<ScriptedResponse>(9).fill(accepted)] };
  const { client, requests } = createScriptedPortal(script);
  // The page has logged in before. A request with a new token is not sent again after a 401.
  if (!logins) await client.login();
  const results = amounts.map((amount, index): LineResult => {
    return { line: index + 2, declaration: { invoice_id: `${index + 1}`, amount }, outcome };
  });
  let progress = 0;
  const onProgress = (count: number) => void (progress += count);
  const stoppedBy: unknown = await step(results, { client, language, signal, onProgress }).catch((error) => error);
  const sent = requests.map(({ url }) => /[^/]*$/.exec(url.split('?')[0] ?? '')?.[0]);
  return { results, stoppedBy, progress, sent };
}

const check = (...args: Parameters<typeof run> extends [unknown, ...infer Rest] ? Rest : never) =>
  run(checkLines, ...args);
const declare = (...args: Parameters<typeof run> extends [unknown, ...infer Rest] ? Rest : never) =>
  run(declareLines, ...args);

type Run = Awaited<ReturnType<typeof run>>;
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

describe('declaring lines', () => {
  it('lines are declared in batches of the maximum size', async () => {
    const declared = await declare([...fillOnes(2 * BATCH), 100]);
    expect(summariseRun(declared)).toBe(`${2 * BATCH} approved, 1 review`);
    expect(declared.sent).toEqual(['login', ...Array<string>(3).fill('declare-batch')]);
    expect([declared.progress, declared.stoppedBy]).toEqual([2 * BATCH + 1, undefined]);
    const review = { outcome: 'review', declarationId: `d-${2 * BATCH + 1}`, tolerance: buildTolerance(100) };
    expect(declared.results.at(-1)).toMatchObject({ ...review, requestId: 'request-1' });
  });

  const tolerance = { action: 'REVIEW', difference: 9, difference_pct: 9 };
  const saved = { success: true, declaration_id: 'd', declared_amount: 1, state_id: 4, tolerance };
  const reject = (code: string, details?: object[]) => ({ success: false, error: { code, message: code, details } });
  const details = [{ property: 'declarations[0].notes', constraints: { maxLength: 'too long' } }];
  it.each([
    ['is unknown after an INTERNAL_ERROR', reject('INTERNAL_ERROR'), { outcome: 'unknown' }],
    ['has the error if it is rejected', reject('NOT_FOUND'), { outcome: 'rejected', error: { message: 'NOT_FOUND' } }],
    ['has property errors if it is invalid', reject('X', details), { error: { message: 'notes: too long' } }],
    ['has the outcome of the declaration', saved, { outcome: 'review', tolerance }],
    ['is unknown if the response omits it', undefined, { outcome: 'unknown' }],
  ])('a declared line %s', async (_, item, expected) => {
    const results = item ? [{ invoice_id: '1', ...item }] : [];
    expect((await declare([1], { calls: [buildSuccess({ results })] })).results).toMatchObject([expected]);
  });

  const rest = `${BATCH} unknown!, 50 would_be_approved`;
  const secondBatchFails = { calls: [accepted, ...times(5, () => buildFailure('INTERNAL_ERROR'))] };
  const secondBatchUnknown = `${BATCH} approved, ${BATCH} unknown!, 50 would_be_approved`;
  it.each<[string, number, Script, ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE', string]>([
    ['rejects the login', 3, { logins: [buildFailure('NOT_FOUND')] }, 'NOT_FOUND', '3 unknown!'],
    ['rejects the first batch', BATCH + 50, { calls: [suspended()] }, 'COMPANY_SUSPENDED', rest],
    ['fails from the second batch on', 2 * BATCH + 50, secondBatchFails, 'INTERNAL_ERROR', secondBatchUnknown],
    ['does not respond', 2, { calls: Array(5).fill(failToConnect) }, 'NETWORK_ERROR', '2 unknown!'],
    ['responds with HTML', 2, { calls: [new Response('<html>')] }, 'INVALID_RESPONSE', '2 unknown!'],
  ])('each line has the correct outcome if the service %s', async (_, lines, script, code, summary) => {
    const stopped = await declare(fillOnes(lines), script, { outcome: 'would_be_approved' });
    expect([summariseRun(stopped, code), stopped.stoppedBy]).toEqual([summary, expect.objectContaining({ code })]);
  });

  it('the lines of an interrupted batch are unknown, and the lines after it are unchanged', async () => {
    const stop = new AbortController();
    const aborted: ScriptedResponse = () => (stop.abort(), Promise.reject(new TypeError('fetch failed')));
    const stopped = await declare(fillOnes(2 * BATCH + 50), { calls: [accepted, aborted] }, { signal: stop.signal });
    expect(summariseRun(stopped)).toBe(`${BATCH} approved, ${BATCH} unknown, 50 not_checked`);
    expect(stopped.stoppedBy).toBe(stop.signal.reason);
  });
});

describe('checking lines', () => {
  it('lines are checked with the list, and nothing is declared', async () => {
    const checked = await check([1, 100]);
    expect([listOutcomes(checked), checked.sent]).toEqual([
      ['would_be_approved', 'would_go_to_review'],
      ['login', 'invoices'],
    ]);
    expect(checked.progress).toBe(2);
  });

  it('a line that may go to review is checked without a request', async () => {
    const checked = await check([100, 1], { calls: [() => list('REV')] });
    expect(listOutcomes(checked)).toEqual(['would_go_to_review', 'may_go_to_review']);
    expect(checked.sent).toEqual(['login', 'invoices']);
  });

  it('a line of a settled invoice is rejected in the language of the run, without a request', async () => {
    const checked = await check([1], { calls: [() => list('LIQ')] }, { language: 'es' });
    const message = 'invoice_id: una factura liquidada (LIQ) no puede declararse';
    expect(checked.results).toMatchObject([{ outcome: 'rejected', error: { code: 'VALIDATION_ERROR', message } }]);
    expect(checked.sent).toEqual(['login', 'invoices']);
  });

  it('a check that fails keeps its results, and a line with a failed check is rejected', async () => {
    const calls = [...times(4, () => buildSuccess({}, { total: 0 })), accepted, buildFailure('NOT_FOUND'), suspended()];
    const stopped = await check([100, ...fillOnes(3)], { calls });
    expect(listOutcomes(stopped)).toEqual(['would_go_to_review', 'rejected', 'not_checked', 'not_checked']);
    const error = { code: 'NOT_FOUND', message: 'The message of NOT_FOUND.' };
    expect(stopped.results[1]).toMatchObject({ error, requestId: 'request-1' });
    expect(stopped.stoppedBy).toMatchObject({ code: 'COMPANY_SUSPENDED', requestId: 'request-1' });
  });

  it('only the lines without a result are checked', async () => {
    expect(await check([1, 100], {}, { outcome: 'rejected' })).toMatchObject({ progress: 0, sent: ['login'] });
  });
});

it('the declarable lines are those that a check accepted or whose outcome is open, optionally without reviews', () => {
  const open: Outcome[] = ['would_be_approved', 'may_go_to_review', 'would_go_to_review', 'unknown'];
  const outcomes: Outcome[] = [...open, 'rejected', 'approved'];
  const results = outcomes.map((outcome, index): LineResult => {
    const action = outcome === 'would_be_approved' ? 'AUTO_APPROVE' : 'REVIEW';
    const tolerance = { action, difference: 0, difference_pct: 0 } as LineResult['tolerance'];
    return { line: index, declaration: { invoice_id: '1', amount: 1 }, outcome, tolerance };
  });
  const listSelected = (skipsReview: boolean) => selectDeclarable(results, skipsReview).map(({ outcome }) => outcome);
  expect(listSelected(false)).toEqual(open);
  // A line whose outcome is unknown may already be in review.
  expect(listSelected(true)).toEqual(['would_be_approved', 'unknown']);
});
