import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DeclarationRequest, type DeclarationResult, evaluateDeclaration } from '../../lib/domain/declaration.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';
import { withState } from '../../lib/domain/invoice-state-change.ts';
import { STATE_CODES, getStateAfter, type StateCode } from '../../lib/domain/invoice-states.ts';
import { decimal } from '../../lib/domain/money.ts';
import { evaluateTolerance, type Tolerance, type ToleranceOutcome } from '../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../lib/invoices/declare-amounts.ts';
import { fromInvoice, toInvoice } from '../../lib/tables/invoice-items.ts';
import { aStore } from '../support/fakes/memory-store.ts';
import { anInvoice } from '../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const ids = ['1', '2', '3'];

/** Few values of each, so that many declarations are those that stand. */
const requests = fc.record({
  invoiceId: fc.constantFrom(...ids),
  amount: fc.constantFrom(0, 100, 100.000_000_1, 103, 110),
  notes: fc.constantFrom(undefined, null, 'Peaje'),
  invoiceNumber: fc.constantFrom(undefined, null, 'F-1', 'F-2'),
  invoiceDate: fc.constantFrom(undefined, null, '2026-07-01', '2026-07-02'),
  taxPct: fc.constantFrom(undefined, 0, 21),
});
const tolerances = fc.record({
  mode: fc.constantFrom('PCT', null),
  pct: fc.constantFrom(decimal(1), decimal(5)),
  abs: fc.constant(null),
  autoApprove: fc.boolean(),
  source: fc.constantFrom('proveedor', 'global'),
});
const invoiceId = fc.constantFrom(...ids);
const steps = fc.oneof(
  { weight: 4, arbitrary: fc.record({ batch: fc.array(requests, { minLength: 1, maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ tolerance: tolerances }) },
  { weight: 1, arbitrary: fc.record({ invoiceId, state: fc.constantFrom(...STATE_CODES) }) },
  { weight: 1, arbitrary: fc.record({ invoiceId, systemAmount: fc.constantFrom(100, 103) }) },
);

/** What a service that always writes knows of an invoice, and when a declaration made that something else. */
class Model {
  state: StateCode = 'PEN';
  systemAmount = 100;
  values: object = { notes: null, invoiceNumber: null, invoiceDate: null, taxPct: null };
  /** For each change, whether the company's decision held it for review. */
  readonly changes: boolean[] = [];
  #isHeld = false;
  #declared = '';

  outcomeOf(amount: number, tolerance: Tolerance): ToleranceOutcome {
    const outcome = evaluateTolerance(decimal(amount), decimal(this.systemAmount), tolerance);
    const isHeld = this.#isHeld || this.state === 'REC' || this.state === 'AJU';
    return isHeld ? { ...outcome, action: 'REVIEW' } : outcome;
  }

  /** Declares, and gives the answer but for the id. */
  declare({ amount, ...others }: DeclarationRequest, tolerance: Tolerance): object {
    if (this.state === 'LIQ') return { kind: 'rejected' };
    const sent = Object.entries(others).filter(([, value]) => value !== undefined);
    const rounded = Math.round(amount * 1e6) / 1e6;
    const outcome = this.outcomeOf(rounded, tolerance);
    this.#isHeld ||= this.state === 'REC' || this.state === 'AJU';
    const answer = { amount: rounded, outcome: JSON.stringify(outcome), state: getStateAfter(outcome.action) };
    this.values = { ...this.values, ...Object.fromEntries(sent) };
    const declared = JSON.stringify([answer, this.values]);
    if (declared !== this.#declared || answer.state !== this.state) this.changes.push(this.#isHeld);
    this.#declared = declared;
    this.state = answer.state;
    return { kind: 'declared', ...answer };
  }

  moveTo(state: StateCode): void {
    this.state = state;
    this.#isHeld = false;
  }
}

/** What the service answers, but for the id. */
function answerOf(result: DeclarationResult | undefined): object {
  if (result?.kind !== 'declared') return { kind: 'rejected' };
  const { declaration, outcome, state } = result;
  return { kind: 'declared', amount: declaration.amount.toNumber(), outcome: JSON.stringify(outcome), state };
}

function valuesOf({ declaration, providerInvoice: { number, date } }: Invoice): object {
  const taxPct = declaration?.taxPct?.toNumber() ?? null;
  return { notes: declaration?.notes ?? null, invoiceNumber: number, invoiceDate: date, taxPct };
}

it('a service that does not write what changes nothing answers as one that always writes: what is not sent stays, null clears, a decision of the company holds; its histories are as long as there were changes [declare-invoice/upsert]', async () => {
  const property = fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (sequence) => {
    const invoices = ids.map((id) => anInvoice({ invoiceId: id, systemAmount: decimal(100) }));
    const { store, stored, written } = aStore(invoices, () => undefined);
    const models = new Map(ids.map((id) => [id, new Model()]));
    const declarationIds = new Map<string, string>();
    let tolerance: Tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' };
    let newIds = 0;
    const context = { userId: '1', requestId: 'r', now: new Date(0), newDeclarationId: () => `${++newIds}` };

    for (const step of sequence) {
      if ('tolerance' in step) ({ tolerance } = step);
      else if ('batch' in step) {
        const results = await declareAmounts(store, scope, step.batch, { ...context, tolerance });
        const expected = step.batch.map((request) => models.get(request.invoiceId)?.declare(request, tolerance));
        expect(results.map(answerOf)).toEqual(expected);
        for (const [at, result] of results.entries()) {
          if (result.kind === 'rejected') continue;
          const { declarationId } = result.declaration;
          const id = step.batch[at]?.invoiceId ?? '';
          expect(declarationId).toBe(declarationIds.get(id) ?? declarationId);
          declarationIds.set(id, declarationId);
        }
      } else {
        const before = stored.get(step.invoiceId)!;
        const model = models.get(step.invoiceId)!;
        if ('state' in step) {
          stored.set(step.invoiceId, withState(before, step.state));
          model.moveTo(step.state);
        } else {
          model.systemAmount = step.systemAmount;
          const systemAmount = decimal(step.systemAmount);
          stored.set(step.invoiceId, { ...before, systemAmount, version: before.version + 1 });
        }
      }
      for (const [id, model] of models) {
        const invoice = toInvoice(fromInvoice(scope, stored.get(id)!));
        stored.set(id, invoice);
        if (model.state !== 'LIQ')
          expect(evaluateDeclaration(invoice, decimal(103), tolerance)).toEqual(model.outcomeOf(103, tolerance));
      }
    }

    const revisions = written.flat().flatMap((change) => change.revisions);
    for (const [id, { changes, values }] of models) {
      const own = revisions.filter((revision) => revision.invoiceId === id);
      expect(own.map(({ revision, requiresManualReview }) => [revision, requiresManualReview])).toEqual(
        changes.map((isHeld, at) => [at + 1, isHeld]),
      );
      expect(stored.get(id)?.declaration?.revision ?? 0).toBe(changes.length);
      expect(values).toMatchObject(valuesOf(stored.get(id)!));
    }
  });
  await fc.assert(property, { numRuns: 300 });
});
