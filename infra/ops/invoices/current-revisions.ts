import type { AdminPorts } from '../tables/admin-ports.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { InvoiceRow, SupplierScope } from '../../../lib/domain/invoice.ts';

/** Reads the current declarations of invoices, by invoice id. */
export async function readCurrentRevisions(
  declarations: Pick<AdminPorts['declarations'], 'revisions'>,
  scope: SupplierScope,
  invoices: readonly Pick<InvoiceRow, 'invoiceId' | 'declaration'>[],
): Promise<ReadonlyMap<string, DeclarationRevision>> {
  const keys = invoices.flatMap(({ invoiceId, declaration }) =>
    declaration ? [{ invoiceId, revision: declaration.revision }] : [],
  );
  const revisions = await declarations.revisions(scope, keys);
  return new Map(revisions.map((revision) => [revision.invoiceId, revision]));
}
