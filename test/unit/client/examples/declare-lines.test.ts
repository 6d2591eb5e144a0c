import { describe, expect, it } from 'vitest';
import type { Run } from '../../../../lib/client/examples/declare-csv/declare-lines.ts';
import { runDeclarations } from '../../../support/client/declare-run.ts';
import { failure, success, unanswered, type SentRequest } from '../../../support/client/scripted-portal.ts';

const outcomesOf = ({ results }: Run) => [...results.values()].map(({ outcome }) => outcome);
const countsOf = (run: Run) =>
  Object.fromEntries(
    [...Map.groupBy(outcomesOf(run), (outcome) => outcome)].map(([outcome, of]) => [outcome, of.length]),
  );
const some = (count: number) => Array.from({ length: count }, () => 1);
const noAnswer = () => Promise.reject(new TypeError('fetch failed'));

describe('lines of a file', () => {
  it('are checked, and declared in batches of 100', async () => {
    const run = await runDeclarations([...some(200), 100], {});
    expect(countsOf(run)).toEqual({ approved: 200, review: 1 });
    expect(run).toMatchObject({ batches: 3, steps: ['checking 201', 'declaring 201', 'end'] });
    expect(run).not.toHaveProperty('stoppedBy');
    expect([...run.results.values()].at(-1)).toEqual({
      outcome: 'review',
      declarationId: 'd-201',
      tolerance: { action: 'REVIEW', difference: 1, difference_pct: 2 },
      requestId: 'request-1',
    });
  });

  it('that do not pass the check are rejected, and the others go on', async () => {
    const check = (_: number, id: string) =>
      id === '1' ? failure('NOT_FOUND') : id === '3' ? failure('VALIDATION_ERROR') : undefined;
    const run = await runDeclarations(some(4), { check });
    expect(outcomesOf(run)).toEqual(['rejected', 'approved', 'rejected', 'approved']);
    expect([...run.results.values()][0]).toEqual({
      outcome: 'rejected',
      error: { code: 'NOT_FOUND', message: 'The message of NOT_FOUND.' },
      requestId: 'request-1',
    });
  });

  it('whose item the service cannot answer for are unknown, not rejected', async () => {
    const failed = (invoice_id: string, code: string) => ({
      invoice_id,
      success: false,
      error: { code, message: code },
    });
    const results = [failed('1', 'INTERNAL_ERROR'), failed('2', 'NOT_FOUND')];
    const run = await runDeclarations(some(2), { batch: () => success({ results }) });
    expect(outcomesOf(run)).toEqual(['unknown', 'rejected']);
  });

  it('are told as the declaration ended, not as the check said', async () => {
    const tolerance = { action: 'REVIEW', difference: 9, difference_pct: 9 };
    const results = [
      { invoice_id: '1', success: true, declaration_id: 'd', declared_amount: 1, state_id: 4, tolerance },
    ];
    const run = await runDeclarations(some(1), { batch: () => success({ results }) });
    expect([...run.results.values()]).toMatchObject([{ outcome: 'review', tolerance }]);
  });

  it('are unknown when an answer leaves them out', async () => {
    const run = await runDeclarations(some(1), { batch: () => success({ results: [] }) });
    expect(outcomesOf(run)).toEqual(['unknown']);
  });

  it('are only checked, if that is wanted', async () => {
    const run = await runDeclarations([1, 100], {}, { checkOnly: true });
    expect(outcomesOf(run)).toEqual(['would_be_approved', 'would_go_to_review']);
    expect(run.batches).toBe(0);
  });

  it('are held if they would go to review, if that is wanted', async () => {
    expect(outcomesOf(await runDeclarations([1, 100], {}, { holdReview: true }))).toEqual(['approved', 'held']);
    const all = await runDeclarations([100, 100], {}, { holdReview: true });
    expect(all).toMatchObject({ batches: 0, steps: ['checking 2', 'end'] });
  });
});

describe('a service that lets nobody in', () => {
  it('is asked once, and no line is rejected for it', async () => {
    const run = await runDeclarations(some(3), { login: () => failure('NOT_FOUND') });
    expect(countsOf(run)).toEqual({ not_declared: 3 });
    expect(run).toMatchObject({ logins: 1, stoppedBy: { code: 'NOT_FOUND' } });
  });

  it('any more after a while rejects no line either', async () => {
    const run = await runDeclarations(some(3), {
      login: (n) => (n === 0 ? undefined : failure('VALIDATION_ERROR')),
      check: (n) => (n === 1 ? failure('TOKEN_EXPIRED') : undefined),
    });
    expect(countsOf(run)).toEqual({ not_declared: 3 });
    expect(run).toMatchObject({ logins: 2, stoppedBy: { code: 'VALIDATION_ERROR' } });
  });
});

describe('a service that fails for good', () => {
  it('during the checks leaves everything undeclared', async () => {
    const check = (n: number) => (n === 0 ? undefined : n === 1 ? failure('NOT_FOUND') : failure('COMPANY_SUSPENDED'));
    const run = await runDeclarations(some(4), { check });
    expect(outcomesOf(run)).toEqual(['not_declared', 'rejected', 'not_declared', 'not_declared']);
    expect(run).toMatchObject({ batches: 0, stoppedBy: { code: 'COMPANY_SUSPENDED', requestId: 'request-1' } });
    const checked = await runDeclarations(some(4), { check }, { checkOnly: true });
    expect(outcomesOf(checked)).toEqual(['would_be_approved', 'rejected', 'not_checked', 'not_checked']);
  });

  it.each([
    ['refuses', () => failure('COMPANY_SUSPENDED'), 'not_declared', 'COMPANY_SUSPENDED'],
    ['stays at its limit', () => failure('RATE_LIMITED'), 'not_declared', 'RATE_LIMITED'],
    ['fails after all retries', () => failure('INTERNAL_ERROR'), 'unknown', 'INTERNAL_ERROR'],
    ['does not answer', noAnswer, 'unknown', 'NETWORK_ERROR'],
    ['answers nonsense', () => new Response('<html>'), 'unknown', 'INVALID_RESPONSE'],
  ])('when it %s, what was under way is told truthfully', async (_, answer, outcome, code) => {
    const run = await runDeclarations(some(250), { batch: (n) => (n === 0 ? undefined : answer()) });
    expect(run).toMatchObject({ stoppedBy: { code } });
    const [ofFirst, ofSecond, ofThird] = [0, 100, 200].map((index) => [...run.results.values()][index]);
    expect(ofFirst).toMatchObject({ outcome: 'approved' });
    expect(ofSecond).toMatchObject({ outcome, error: { code } });
    expect(ofThird).toMatchObject({ outcome: 'not_declared' });
    expect(ofThird).not.toHaveProperty('error');
  });

  it('has done nothing of a batch that it refused before and after a new login', async () => {
    const batch = (n: number) => (n === 0 ? failure('TOKEN_EXPIRED') : failure('COMPANY_SUSPENDED'));
    expect(outcomesOf(await runDeclarations(some(1), { batch }))).toEqual(['not_declared']);
  });

  it('does not make a batch certain that was refused after it had failed', async () => {
    const batch = (n: number) => (n === 0 ? failure('INTERNAL_ERROR') : failure('COMPANY_SUSPENDED'));
    expect(outcomesOf(await runDeclarations(some(1), { batch }))).toEqual(['unknown']);
  });
});

describe('an interruption', () => {
  it('during a batch leaves that batch unknown, and the rest undeclared', async () => {
    const stop = new AbortController();
    const batch = (n: number, signal: AbortSignal) => {
      if (n === 0) return undefined;
      setImmediate(() => stop.abort());
      return unanswered({ signal } as SentRequest);
    };
    const run = await runDeclarations(some(250), { batch }, { signal: stop.signal });
    expect(countsOf(run)).toEqual({ approved: 100, unknown: 100, not_declared: 50 });
    expect(run.stoppedBy).toBe(stop.signal.reason);
  });

  it('while a refused batch waits leaves it undeclared', async () => {
    const stop = new AbortController();
    const batch = () => {
      stop.abort();
      return failure('RATE_LIMITED');
    };
    const run = await runDeclarations(some(2), { batch }, { signal: stop.signal });
    expect(countsOf(run)).toEqual({ not_declared: 2 });
  });
});
