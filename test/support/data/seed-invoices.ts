import type { CurrentDeclaration, Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { createInvoiceTable } from '../../../lib/tables/invoice-table.ts';
import { createInvoiceTransaction } from '../../../lib/tables/invoice-transaction.ts';
import type { TestEngine } from '../engine/engine.ts';
import { newId } from './seed.ts';

/** Builds an invoice with a value in every field. By default, the sort date is computed from the other dates. */
export function buildInvoice(overrides: Partial<Invoice> = {}): Invoice {
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
    isWithdrawn: false,
    version: 1,
    ...overrides,
  } as const;
  const date = invoice.invoiceDate ?? invoice.serviceCallDate ?? '2026-03-10T12:00:00.000Z';
  return { sortDate: new Date(date).toISOString(), ...invoice };
}

/** Builds the declaration of an invoice that the supplier has made before the test. */
export function buildDeclaration(overrides: Partial<CurrentDeclaration> = {}): CurrentDeclaration {
  return {
    declarationId: newId(),
    revision: 1,
    amount: decimal('1000'),
    notes: null,
    taxPct: null,
    ...overrides,
  };
}

// Each invoice needs 4 writes, and each month one more for its counters. A transaction allows 100.
const CHUNK = 24;

/** Creates the function with which the service commits changes of invoices. */
function createTransaction({ client, tables }: Pick<TestEngine, 'client' | 'tables'>) {
  return createInvoiceTransaction(client, { invoices: tables.Invoices, declarations: tables.Declarations });
}

/** Writes invoices as an import does, with correct day counters. Returns the invoices. */
export async function seedInvoices(
  engine: TestEngine,
  scope: SupplierScope,
  invoices: readonly Invoice[],
): Promise<readonly Invoice[]> {
  const commit = createTransaction(engine);
  for (let first = 0; first < invoices.length; first += CHUNK) {
    const changes = invoices
      .slice(first, first + CHUNK)
      .map((after) => ({ before: null, after, revisions: [] as const }));
    const { kind } = await commit(scope, changes, first / CHUNK);
    if (kind === 'conflict') throw new Error('A seeded invoice already exists.');
  }
  return invoices;
}

/** Changes a stored invoice as the service does. Returns false if another writer changed it at the same time. */
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
  return (await createTransaction(engine)(scope, [{ before, after, revisions: [] }], shard)).kind === 'committed';
}
