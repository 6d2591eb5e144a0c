import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { createDeclarationTable } from '../../../lib/tables/declaration-table.ts';
import type { TestEngine } from '../engine/engine.ts';
import { storedRevisions } from './stored-invoices.ts';

/** What the histories of these invoices hold, by request id: each declaration as `<supplier> <invoice> <revision>`. */
export async function writtenByRequest(
  engine: TestEngine,
  scope: SupplierScope,
  invoiceIds: readonly string[],
): Promise<Map<string, string[]>> {
  const histories = invoiceIds.map(async (id) =>
    (await storedRevisions(engine, scope, id)).map(({ request_id: requestId, sk }) => ({
      requestId: String(requestId),
      place: `${scope.supplierId} ${id} ${String(sk)}`,
    })),
  );
  const written = Map.groupBy((await Promise.all(histories)).flat(), ({ requestId }) => requestId);
  return new Map([...written].map(([requestId, revisions]) => [requestId, revisions.map(({ place }) => place)]));
}

/** What is found of a request, as `writtenByRequest` shows it. */
export async function foundOfRequest({ client, tables }: TestEngine, requestId: string): Promise<string[]> {
  const found = await createDeclarationTable(client, tables.Declarations).ofRequest(requestId);
  return found.map(({ scope, revision }) => `${scope.supplierId} ${revision.invoiceId} ${revision.revision}`);
}
