import { setTimeout } from 'node:timers/promises';
import { type ExportCursor, exportDeclarations } from '../../../infra/ops/export/export-declarations.ts';
import { createDeclarationLog } from '../../../lib/tables/declaration-table.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import type { ImpatientService, Post } from '../../support/service/impatient-service.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import {
  findRevisionsOfRequest,
  readRevisionsByRequest,
  readStoredInvoices,
  readStoredRevisions,
} from '../../support/data/stored-invoices.ts';
import type { StoredInvoice } from './proof-checks.ts';
import { SUPPLIER } from './proof-plan.ts';

/** A supplier with its invoices, of which the last is settled, and what its users send. */
export interface ProofSupplier {
  readonly scope: SupplierScope;
  readonly invoiceIds: readonly string[];
  readonly posts: readonly Post[];
}

const DAY_MS = 86_400_000;
const LANES = 8;

/** Gives a tenant so many suppliers. */
export async function seedSuppliers(
  service: ImpatientService,
  tenant: string,
  count: number,
): Promise<ProofSupplier[]> {
  const company = { company_id: newId() };
  const suppliers: ProofSupplier[] = [];
  for (let place = 0; place < count; place++) {
    const supplier = { supplier_id: newId() };
    const users = Array.from({ length: SUPPLIER.users }, () =>
      seedAccount(service.engine, { tenant: { tenant }, company, supplier }),
    );
    const accounts = await Promise.all(users);
    const scope = { tenant, supplierId: supplier.supplier_id };
    const invoices = Array.from({ length: SUPPLIER.invoices }, (_, index) =>
      buildInvoice({
        invoiceDate: new Date(Date.UTC(2026, 0, 1) + index * DAY_MS).toISOString(),
        ...(index === SUPPLIER.invoices - 1 && { state: 'LIQ' }),
      }),
    );
    await seedInvoices(service.engine, scope, invoices);
    const posts = await Promise.all(accounts.map((account) => service.createPost(account)));
    suppliers.push({ scope, invoiceIds: invoices.map(({ invoiceId }) => invoiceId), posts });
  }
  return suppliers;
}

/** Reads all invoices of suppliers with their histories, past the proxy. */
export async function readStored(engine: TestEngine, suppliers: readonly ProofSupplier[]): Promise<StoredInvoice[]> {
  const stored: StoredInvoice[] = [];
  await forEachConcurrent(suppliers, LANES, async ({ scope, invoiceIds }) => {
    const invoices = await readStoredInvoices(engine, scope);
    for (const id of invoiceIds) {
      const invoice = invoices.get(id) ?? {};
      const revisions = await readStoredRevisions(engine, scope, id);
      stored.push({
        invoice: id,
        version: Number(invoice['version']),
        current: 'declaration_revision' in invoice ? declared(invoice, invoice['declaration_revision']) : null,
        history: revisions.map((revision) => declared(revision, revision['sk'])),
      });
    }
  });
  return stored;
}

function declared({ declared_notes: notes, declared_amount: amount }: Record<string, unknown>, revision: unknown) {
  return { revision: Number(revision), notes: String(notes), amount: Number(amount) };
}

/** Finds the requests whose declarations differ from those that `find-request` finds, one sentence each. */
export async function requestViolations(engine: TestEngine, suppliers: readonly ProofSupplier[]): Promise<string[]> {
  const violations: string[] = [];
  await forEachConcurrent(suppliers, LANES, async ({ scope, invoiceIds }) => {
    for (const [requestId, written] of await readRevisionsByRequest(engine, scope, invoiceIds)) {
      const found = joinPlaces(await findRevisionsOfRequest(engine, requestId));
      if (found === joinPlaces(written)) continue;
      violations.push(`request ${requestId}: it wrote ${joinPlaces(written)}, and found is ${found}`);
    }
  });
  return violations;
}

function joinPlaces(places: readonly string[]): string {
  return places.toSorted().join(', ');
}

const PAUSE_MS = 2_000;

/** The revisions of each invoice in the order in which the exports had them. */
type ExportedRevisions = ReadonlyMap<string, readonly number[]>;

/** Exports the declarations of a tenant every few seconds, each time from the cursor of the last time, until the end. */
export function exportRepeatedly({ client, tables }: TestEngine, tenant: string) {
  const declarationLog = createDeclarationLog(client, tables.Declarations);
  const revisions = new Map<string, number[]>();
  let cursor: ExportCursor = [];
  let runs = 0;
  const exportOnce = async () => {
    const run = exportDeclarations({ declarationLog }, tenant, cursor);
    for await (const declarations of run.declarations) {
      for (const { revision } of declarations) {
        const known = revisions.get(revision.invoiceId) ?? [];
        revisions.set(revision.invoiceId, [...known, revision.revision]);
      }
    }
    cursor = run.cursor();
    runs++;
  };
  const ended = new AbortController();
  const repeated = (async () => {
    while (!ended.signal.aborted) {
      await exportOnce();
      await setTimeout(PAUSE_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return {
    /** Exports once more, and gives what all exports had. */
    async end(): Promise<{ runs: number; revisions: ExportedRevisions }> {
      ended.abort();
      await repeated;
      await exportOnce();
      return { runs, revisions };
    },
  };
}

/** Every invoice of which the exports together have something else than its history. */
export function exportViolations(exported: ExportedRevisions, stored: readonly StoredInvoice[]): string[] {
  return stored.flatMap(({ invoice, history }) => {
    const wanted = history.map(({ revision }) => revision).join(', ');
    const found = (exported.get(invoice) ?? []).join(', ');
    return found === wanted ? [] : [`invoice ${invoice}: the exports have the revisions ${found}, not ${wanted}`];
  });
}
