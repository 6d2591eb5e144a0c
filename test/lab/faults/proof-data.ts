import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import type { ImpatientService, Post } from '../../support/service/impatient-service.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredRevisions } from '../../support/data/stored-invoices.ts';
import type { StoredInvoice, StoredRevision } from './proof-checks.ts';
import { SUPPLIER } from './proof-plan.ts';

/** A supplier with its invoices, of which the last is settled, and a function that sends requests for each user. */
export interface ProofSupplier {
  readonly scope: SupplierScope;
  readonly invoiceIds: readonly string[];
  readonly posts: readonly Post[];
}

const DAY_MS = 86_400_000;
const CONCURRENCY = 8;

/** Creates this many suppliers in a tenant. */
export async function seedSuppliers(
  service: ImpatientService,
  tenant: string,
  count: number,
): Promise<ProofSupplier[]> {
  const company = { company_id: newId() };
  const suppliers: ProofSupplier[] = [];
  for (let index = 0; index < count; index++) {
    const supplier = { supplier_id: newId() };
    const users = Array.from({ length: SUPPLIER.users }, () =>
      seedAccount(service.engine, { tenant: { tenant }, company, supplier }),
    );
    const accounts = await Promise.all(users);
    const scope = { tenant, supplierId: supplier.supplier_id };
    const invoices = Array.from({ length: SUPPLIER.invoices }, (_, day) =>
      buildInvoice({
        invoiceDate: new Date(Date.UTC(2026, 0, 1) + day * DAY_MS).toISOString(),
        ...(day === SUPPLIER.invoices - 1 && { state: 'LIQ' }),
      }),
    );
    await seedInvoices(service.engine, scope, invoices);
    const posts = await Promise.all(accounts.map((account) => service.createPost(account)));
    suppliers.push({ scope, invoiceIds: invoices.map(({ invoiceId }) => invoiceId), posts });
  }
  return suppliers;
}

/** Reads the histories of all invoices of suppliers, without the proxy. */
export async function readStored(engine: TestEngine, suppliers: readonly ProofSupplier[]): Promise<StoredInvoice[]> {
  const stored: StoredInvoice[] = [];
  await forEachConcurrent(suppliers, CONCURRENCY, async ({ scope, invoiceIds }) => {
    for (const id of invoiceIds) {
      const revisions = await readStoredRevisions(engine, scope, id);
      stored.push({ invoice: id, history: revisions.map(toRevision) });
    }
  });
  return stored;
}

function toRevision(item: Record<string, unknown>): StoredRevision {
  const { declaration_revision: revision, declared_notes: notes, declared_amount: amount } = item;
  return { revision: Number(revision), notes: String(notes), amount: Number(amount) };
}
