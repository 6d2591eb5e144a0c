import * as fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import { changeState } from '../../../infra/ops/review/set-state.ts';
import { type AdminPorts, createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { STATE_CODES, type StateCode } from '../../../lib/domain/invoice-states.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareAmounts, type DeclarationStore } from '../../../lib/invoices/declare-amounts.ts';
import { createTestDeclarationStore } from '../../support/data/declare-one.ts';
import { createInvoiceTable } from '../../../lib/tables/invoice-table.ts';
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
const RUNS = 20;

// Each field has few values, so that invoices often return to an earlier state.
const invoiceId = fc.constantFrom('7', '70', '700');
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
);

describe('the rows, counters and fingerprints of a supplier', () => {
  it('the rows, counters and fingerprints match the invoices after random imports, declarations and state changes', async () => {
    proves('service/list', 'meta/total');
    const property = fc.asyncProperty(fc.array(steps, { maxLength: 8 }), async (sequence) => {
      const { scope } = await seedAccount(engine);
      const { tenant, supplierId } = scope;
      const fixed = { supplier_id: supplierId, service_id: '5' };
      for (const step of sequence) {
        if ('imported' in step) {
          const imported = step.imported.map((record) => ({ ...fixed, ...record }));
          await importLines(engine, tenant, imported);
        } else if ('declared' in step) await declareAmounts(store, scope, step.declared, context);
        else {
          const invoice = await createInvoiceTable(engine.client, engine.tables.Invoices).get(scope, step.invoiceId);
          const author = { changedBy: 'carol', reason: 'test', force: true };
          if (invoice) await changeState(ports, { scope, invoice }, step.state, author);
        }
        await readConsistentCounters(engine, scope);
      }
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
