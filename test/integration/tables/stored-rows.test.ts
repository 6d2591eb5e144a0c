import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ExportCursor, exportDeclarations } from '../../../infra/ops/export/export-declarations.ts';
import { OperatorError } from '../../../infra/ops/operator-errors.ts';
import { applyDecisions } from '../../../infra/ops/review/decide.ts';
import { changeInvoice, changeState } from '../../../infra/ops/review/set-state.ts';
import { type AdminPorts, createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { withWithdrawal } from '../../../lib/domain/invoice-state-change.ts';
import { STATE_CODES, type StateCode } from '../../../lib/domain/invoice-states.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareAmounts, type DeclarationStore } from '../../../lib/invoices/declare-amounts.ts';
import { createTestDeclarationStore } from '../../support/data/declare-one.ts';
import { importLines } from '../../support/data/import-lines.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { readConsistentCounters } from '../../support/data/stored-invoices.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { proves } from '../../rules/proves.ts';

const engine = useEngine();
let ports: AdminPorts;
let store: DeclarationStore;

beforeAll(() => {
  ports = createAdminPorts(engine);
  store = createTestDeclarationStore(engine);
});

const now = new Date('2026-07-02T08:00:00.000Z');
const tolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true, source: 'global' } as const;
const context = { tolerance, userId: '77', requestId: 'request-1', now, newDeclarationId: newId };
const author = { changedBy: 'carol', reason: 'test' };
const RUNS = 20;

// Each field has few values, so that invoices often return to an earlier state.
const IDS = ['7', '70', '700'];
const invoiceId = fc.constantFrom(...IDS);
const records = fc.record({
  invoice_id: invoiceId,
  invoice_date: fc.constantFrom(
    null,
    '2026-01-31T23:59:59.999Z',
    '2026-02-01T00:00:00Z',
    '2026-02-01T00:00:00.001Z',
    '2026-02-28',
  ),
  state_code: fc.constantFrom(undefined, ...STATE_CODES),
  account_name: fc.constantFrom(null, 'Aseguradora Córdoba'),
  city: fc.constantFrom(null, 'Bogotá'),
  system_amount: fc.constantFrom(100, 103),
});
const declarations = fc.record({
  invoiceId,
  amount: fc.constantFrom(0, 100, 110),
  invoiceNumber: fc.constantFrom(undefined, 'F-1'),
});
const steps = fc.oneof(
  fc.record({ imported: fc.array(records, { minLength: 1, maxLength: 4 }) }),
  fc.record({ declared: fc.array(declarations, { minLength: 1, maxLength: 4 }) }),
  fc.record({ invoiceId, state: fc.constantFrom<StateCode>(...STATE_CODES) }),
  fc.record({ invoiceId, isWithdrawn: fc.boolean() }),
  fc.record({ invoiceId, decision: fc.constantFrom('APR', 'REC', 'WITHDRAW', 'RESTORE') }),
);

type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

// The steps of a group run at the same time.
const groups = fc.array(fc.array(steps, { minLength: 1, maxLength: 3 }), { maxLength: 6 });

async function runStep(scope: SupplierScope, step: Step): Promise<void> {
  if ('imported' in step) {
    const fixed = { supplier_id: scope.supplierId, service_id: '5' };
    await importLines(
      engine,
      scope.tenant,
      step.imported.map((record) => ({ ...fixed, ...record })),
    );
    return;
  }
  if ('declared' in step) {
    const results = await declareAmounts(store, scope, step.declared, context);
    const codes = results.map((result) => (result.kind === 'rejected' ? result.error.code : 'declared'));
    expect(codes).not.toContain('INTERNAL_ERROR');
    return;
  }
  const [found] = await ports.invoices.getForSuppliers([scope], step.invoiceId);
  if (!found) return;
  if ('decision' in step) {
    const revision = `${found.invoice.declaration?.revision ?? 0}`;
    const ids = { supplier_id: scope.supplierId, invoice_id: step.invoiceId };
    const decision = { line: 1, row: { ...ids, revision, decision: step.decision }, reason: 'test', errors: [] };
    const options = { tenant: scope.tenant, decidedBy: 'carol', stop: new AbortController().signal };
    await applyDecisions(ports, [decision], options, () => undefined);
    return;
  }
  const change =
    'state' in step
      ? changeState(ports, found, step.state, { ...author, force: true })
      : changeInvoice(ports, found, author, async (invoice) => withWithdrawal(invoice, step.isWithdrawn));
  // Another step can have withdrawn or restored the invoice at the same time.
  await change.catch((error: Error) => expect(error).toBeInstanceOf(OperatorError));
}

describe('the rows, counters and fingerprints of a supplier', () => {
  it('each invoice is stored once, with its rows and counters, after random steps that run at the same time', async () => {
    proves('service/list', 'meta/total');
    const property = fc.asyncProperty(groups, async (sequence) => {
      const { scope } = await seedAccount(engine, { tenant: { tenant: `t${newId()}.example` } });
      const exported: string[] = [];
      let cursor: ExportCursor = [];
      const exportNew = async () => {
        const run = exportDeclarations(ports, scope.tenant, cursor);
        for await (const page of run.declarations) {
          exported.push(...page.map(({ revision }) => `${revision.invoiceId} ${revision.revision}`));
        }
        cursor = run.getCursor();
      };
      for (const group of sequence) {
        await Promise.all([...group.map((step) => runStep(scope, step)), exportNew()]);
        await readConsistentCounters(engine, scope);
      }
      await exportNew();
      const stored = await Promise.all(IDS.map((id) => ports.declarations.readHistory(scope, id)));
      const revisions = stored.flat().map(({ invoiceId: id, revision }) => `${id} ${revision}`);
      expect(exported.toSorted()).toEqual(revisions.toSorted());
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
