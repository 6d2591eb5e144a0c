import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { CurrentDeclaration, Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { evaluateTolerance, selectTolerance } from '../../../lib/domain/tolerance.ts';
import { createInvoiceTable } from '../../../lib/tables/invoice-table.ts';
import { createInvoiceTransaction } from '../../../lib/tables/invoice-transaction.ts';
import type { TestEngine } from '../engine/engine.ts';
import { newId } from './seed.ts';

/** When seeded invoices without any date were created. */
export const CREATED_AT = '2026-03-10T12:00:00.000Z';

/** An invoice with every field filled in; its sort date follows from its dates unless it is given. */
export function anInvoice(overrides: Partial<Invoice> = {}): Invoice {
  const invoice = {
    invoiceId: newId(),
    invoiceDate: '2026-03-15T10:30:00.000Z',
    serviceId: '7001',
    serviceNumber: 'SRV-7001',
    serviceCallDate: '2026-03-14T08:00:00.000Z',
    accountName: 'Aseguradora Córdoba',
    city: 'Bogotá',
    systemAmount: decimal('1000'),
    state: 'PEN',
    declaration: null,
    providerInvoice: { number: null, date: null },
    attachmentUrl: 'https://files.example/invoice.pdf',
    attachmentFilename: 'invoice.pdf',
    concepts: [
      {
        conceptId: '31',
        description: 'Grúa',
        unitAmount: decimal('500'),
        quantity: decimal('2'),
        taxPct: decimal('19'),
        total: decimal('1190'),
      },
    ],
    declaredOutcome: null,
    requiresManualReview: false,
    version: 1,
    ...overrides,
  } as const;
  const date = invoice.invoiceDate ?? invoice.serviceCallDate ?? CREATED_AT;
  return { sortDate: new Date(date).toISOString(), ...invoice };
}

/** What a supplier has declared on an invoice before the test begins. */
export function aDeclaration(overrides: Partial<CurrentDeclaration> = {}): CurrentDeclaration {
  return {
    declarationId: newId(),
    revision: 1,
    amount: decimal('1000'),
    notes: null,
    taxPct: null,
    ...overrides,
  };
}

/** A declaration of 10 on an invoice of 10, under no tolerance. */
export function aRevision(invoiceId: string, revision: number, requestId = 'r'): DeclarationRevision {
  const [amount, tolerance] = [decimal(10), selectTolerance(null, null)];
  return {
    ...aDeclaration({ revision, amount }),
    invoiceId,
    providerInvoice: { number: null, date: null },
    systemAmount: amount,
    outcome: evaluateTolerance(amount, amount, tolerance),
    requiresManualReview: false,
    tolerance,
    declaredBy: '1',
    declaredAt: '2026-07-02T08:00:00.000Z',
    requestId,
  };
}

// Three writes each, and the counters of their months.
const CHUNK = 30;

/** Commits changes of invoices, as the service does. */
export function transactionOf({ client, tables }: Pick<TestEngine, 'client' | 'tables'>) {
  return createInvoiceTransaction(client, { invoices: tables.Invoices, declarations: tables.Declarations });
}

/** Writes invoices as an import does, so that the day counters are right; returns them. */
export async function seedInvoices(
  engine: TestEngine,
  scope: SupplierScope,
  invoices: readonly Invoice[],
): Promise<readonly Invoice[]> {
  const commit = transactionOf(engine);
  for (let first = 0; first < invoices.length; first += CHUNK) {
    const changes = invoices
      .slice(first, first + CHUNK)
      .map((after) => ({ before: null, after, revisions: [] as const }));
    const { kind } = await commit(scope, changes, first / CHUNK);
    if (kind === 'conflict') throw new Error('An invoice to be seeded was there already.');
  }
  return invoices;
}

/** Changes an invoice as it is now, as the service would; says whether nobody else did meanwhile. */
export async function changeInvoice(
  engine: TestEngine,
  scope: SupplierScope,
  invoiceId: string,
  overrides: Partial<Invoice>,
  shard = 0,
): Promise<boolean> {
  const before = await createInvoiceTable(engine.client, engine.tables.Invoices).get(scope, invoiceId);
  if (!before) throw new Error(`There is no invoice ${invoiceId}.`);
  const after = { ...before, ...overrides, version: before.version + 1 };
  return (await transactionOf(engine)(scope, [{ before, after, revisions: [] }], shard)).kind === 'committed';
}
