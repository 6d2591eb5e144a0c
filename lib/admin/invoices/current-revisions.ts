import type { AdminPorts } from '../../composition/admin-ports.ts';
import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { InvoiceRow, SupplierScope } from '../../domain/invoice.ts';

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
