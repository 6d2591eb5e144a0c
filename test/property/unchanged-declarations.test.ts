import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DeclarationRequest, type DeclarationResult, evaluateDeclaration } from '../../lib/domain/declaration.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';
import { withState } from '../../lib/domain/invoice-change.ts';
import { STATE_CODES, getStateAfter, type StateCode } from '../../lib/domain/invoice-states.ts';
import { decimal } from '../../lib/domain/money.ts';
import { buildNextVersion } from '../../lib/domain/next-version.ts';
import { evaluateTolerance, type Tolerance, type ToleranceOutcome } from '../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../lib/invoices/declare-amounts.ts';
import { fromInvoice, toInvoice } from '../../lib/tables/invoice-items.ts';
import { createMemoryStore } from '../support/fakes/memory-store.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';
import { proves } from '../rules/proves.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const ids = ['1', '2', '3'];

/** Generates declarations. Each field has few values, so that many declarations repeat the stored one. */
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

/** The invoice in a service that writes every declaration, and the declarations that changed it. */
class Model {
  state: StateCode = 'PEN';
  systemAmount = 100;
  values: object = { notes: null, invoiceNumber: null, invoiceDate: null, taxPct: null };
  /** One entry for each change: true if it requires manual review because of a decision. */
  readonly changes: boolean[] = [];
  #requiresReview = false;
  #declared = '';

  evaluate(amount: number, tolerance: Tolerance): ToleranceOutcome {
    const outcome = evaluateTolerance(decimal(amount), decimal(this.systemAmount), tolerance);
    const requiresReview = this.#requiresReview || this.state === 'REC' || this.state === 'AJU';
    return requiresReview ? { ...outcome, action: 'REVIEW' } : outcome;
  }

  /** Declares an amount. Returns the expected result without the declaration id. */
  declare({ amount, ...others }: DeclarationRequest, tolerance: Tolerance): object {
    if (this.state === 'LIQ') return { kind: 'rejected' };
    const sent = Object.entries(others).filter(([, value]) => value !== undefined);
    const rounded = Math.round(amount * 1e6) / 1e6;
    const outcome = this.evaluate(rounded, tolerance);
    this.#requiresReview ||= this.state === 'REC' || this.state === 'AJU';
    const result = { amount: rounded, outcome: JSON.stringify(outcome), state: getStateAfter(outcome.action) };
    this.values = { ...this.values, ...Object.fromEntries(sent) };
    const declared = JSON.stringify([result, this.values]);
    if (declared !== this.#declared || result.state !== this.state) this.changes.push(this.#requiresReview);
    this.#declared = declared;
    this.state = result.state;
    return { kind: 'declared', ...result };
  }

  setState(state: StateCode): void {
    this.state = state;
    this.#requiresReview = false;
  }
}

/** Converts a result of the service to the form of the model, without the declaration id. */
function toComparable(result: DeclarationResult | undefined): object {
  if (result?.kind !== 'declared') return { kind: 'rejected' };
  const { declaration, outcome, state } = result;
  return { kind: 'declared', amount: declaration.amount.toNumber(), outcome: JSON.stringify(outcome), state };
}

function readValues({ declaration, providerInvoice: { number, date } }: Invoice): object {
  const taxPct = declaration?.taxPct?.toNumber() ?? null;
  return { notes: declaration?.notes ?? null, invoiceNumber: number, invoiceDate: date, taxPct };
}

it('declarations that change nothing add no revision, and results equal a model that writes all', async () => {
  proves('declare-invoice/upsert');
  const property = fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (sequence) => {
    const invoices = ids.map((id) => buildInvoice({ invoiceId: id, systemAmount: decimal(100) }));
    const { store, stored, written } = createMemoryStore(invoices);
    const models = new Map(ids.map((id) => [id, new Model()]));
    const declarationIds = new Map<string, string>();
    let tolerance: Tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' };
    let newIds = 0;
    const context = { userId: '1', requestId: 'r', newDeclarationId: () => `${++newIds}` };

    for (const step of sequence) {
      if ('tolerance' in step) ({ tolerance } = step);
      else if ('batch' in step) {
        const results = await declareAmounts(store, scope, step.batch, { ...context, tolerance });
        const expected = step.batch.map((request) => models.get(request.invoiceId)?.declare(request, tolerance));
        expect(results.map(toComparable)).toEqual(expected);
        for (const [index, result] of results.entries()) {
          if (result.kind === 'rejected') continue;
          const { declarationId } = result.declaration;
          const id = step.batch[index]?.invoiceId ?? '';
          expect(declarationId).toBe(declarationIds.get(id) ?? declarationId);
          declarationIds.set(id, declarationId);
        }
      } else {
        const before = stored.get(step.invoiceId)!;
        const model = models.get(step.invoiceId)!;
        if ('state' in step) {
          stored.set(step.invoiceId, withState(before, step.state, new Date()));
          model.setState(step.state);
        } else {
          model.systemAmount = step.systemAmount;
          const systemAmount = decimal(step.systemAmount);
          stored.set(step.invoiceId, buildNextVersion(before, { systemAmount }, new Date()));
        }
      }
      for (const [id, model] of models) {
        const invoice = toInvoice(fromInvoice(scope, stored.get(id)!));
        stored.set(id, invoice);
        if (model.state !== 'LIQ')
          expect(evaluateDeclaration(invoice, decimal(103), tolerance)).toEqual(model.evaluate(103, tolerance));
      }
    }

    const revisions = written.flat().flatMap(({ revision }) => revision ?? []);
    for (const [id, { changes, values }] of models) {
      const own = revisions.filter((revision) => revision.invoiceId === id);
      expect(own.map(({ revision, requiresManualReview }) => [revision, requiresManualReview])).toEqual(
        changes.map((requiresReview, index) => [index + 1, requiresReview]),
      );
      expect(stored.get(id)?.declaration?.revision ?? 0).toBe(changes.length);
      expect(values).toMatchObject(readValues(stored.get(id)!));
    }
  });
  await fc.assert(property, { numRuns: 300 });
});
