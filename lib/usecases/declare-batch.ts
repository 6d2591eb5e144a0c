import type { DeclarationContext, DeclarationRequest } from '../domain/declaration.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import {
  type CommitDeclarations,
  type DeclarationResult,
  settleTogether,
  type Submission,
} from './declaration-writer.ts';

/** Where invoices are read and their declarations written. */
export interface DeclarationStore {
  getMany(scope: SupplierScope, invoiceIds: readonly string[]): Promise<Map<string, Invoice>>;
  readonly commit: CommitDeclarations;
}

// An invoice and at least one revision each; with the counters of up to 25 months that stays within a transaction's 100 writes.
const MAX_CHUNK_WRITES = 50;
const MAX_REQUESTS_PER_SUBMISSION = MAX_CHUNK_WRITES - 1;

/** Declares amounts independently of each other; of one invoice's, in the given order, the last wins. One result per request, in order. */
export async function declareBatch(
  store: DeclarationStore,
  scope: SupplierScope,
  requests: readonly DeclarationRequest[],
  context: DeclarationContext,
): Promise<DeclarationResult[]> {
  const results = new Map<DeclarationRequest, DeclarationResult>();
  const invoices = await store.getMany(scope, [...new Set(requests.map(({ invoiceId }) => invoiceId))]);
  const firstShard = Math.floor(Math.random() * MAX_CHUNK_WRITES);

  let waiting = [...Map.groupBy(requests, ({ invoiceId }) => invoiceId)];
  while (waiting.length > 0) {
    const submissions = waiting.flatMap(([invoiceId, group]) => {
      const invoice = invoices.get(invoiceId);
      return invoice ? { invoice, requests: group.slice(0, MAX_REQUESTS_PER_SUBMISSION) } : [];
    });
    const chunks = intoChunks(submissions).map(async (chunk, position) => {
      const settlements = await settleTogether(store.commit, scope, chunk, context, firstShard + position);
      for (const [index, settlement] of settlements.entries()) {
        invoices.set(settlement.invoice.invoiceId, settlement.invoice);
        chunk[index]?.requests.forEach((request, at) => results.set(request, settlement.results[at] ?? notFound));
      }
    });
    await Promise.all(chunks);
    waiting = waiting
      .map(([invoiceId, group]): [string, DeclarationRequest[]] => [
        invoiceId,
        group.slice(MAX_REQUESTS_PER_SUBMISSION),
      ])
      .filter(([, group]) => group.length > 0);
  }
  return requests.map((request) => results.get(request) ?? notFound);
}

const notFound: DeclarationResult = { declared: false, error: invoiceNotFound() };

/** Groups submissions so that each group fits one transaction. */
function intoChunks(submissions: readonly Submission[]): Submission[][] {
  const chunks: Submission[][] = [];
  let writes = Number.POSITIVE_INFINITY;
  for (const submission of submissions) {
    const own = 1 + submission.requests.length;
    writes += own;
    if (writes > MAX_CHUNK_WRITES) {
      chunks.push([]);
      writes = own;
    }
    chunks.at(-1)?.push(submission);
  }
  return chunks;
}
