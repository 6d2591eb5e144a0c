import type { CurrentDeclaration, Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { buildNextVersion } from '../../../lib/domain/next-version.ts';
import { NO_NOTICE } from '../../../lib/domain/notice.ts';
import { packTransactions } from '../../../lib/invoices/transactions.ts';
import type { TestEngine } from '../engine/engine.ts';
import { createTestDeclarationStore } from './declare-one.ts';
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
    notice: NO_NOTICE,
    isWithdrawn: false,
    version: 1,
    changedAt: '2026-03-15T12:00:00.000Z',
    createdBy: null,
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
    declaredBy: '9',
    declaredAt: '2026-03-16T12:00:00.000Z',
    ...overrides,
  };
}

/** Writes invoices as an import does. Their times can be in the past. Returns the invoices. */
export async function seedInvoices(
  engine: Pick<TestEngine, 'client' | 'tables'>,
  scope: SupplierScope,
  invoices: readonly Invoice[],
): Promise<readonly Invoice[]> {
  const { commit, computeCost, limits } = createTestDeclarationStore(engine);
  const changes = invoices.map((after) => ({ before: null, after }));
  for (const transaction of packTransactions(changes, (change) => computeCost(scope, change), limits)) {
    const { kind } = await commit(scope, transaction);
    if (kind !== 'committed') throw new Error(`The seeded invoices were not written (${kind}).`);
  }
  return invoices;
}

/** Changes a stored invoice as the service does. Returns false if another writer changed it at the same time. */
export async function changeInvoice(
  engine: Pick<TestEngine, 'client' | 'tables'>,
  scope: SupplierScope,
  invoiceId: string,
  overrides: Partial<Invoice>,
): Promise<boolean> {
  const { getMany, commit } = createTestDeclarationStore(engine);
  const before = (await getMany(scope, [invoiceId])).get(invoiceId);
  if (!before) throw new Error(`There is no invoice ${invoiceId}.`);
  const after = buildNextVersion(before, overrides, new Date());
  return (await commit(scope, [{ before, after }])).kind === 'committed';
}
