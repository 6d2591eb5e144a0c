import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { createDeclarationTable } from '../../storage/declaration-table.ts';
import { currentDeclarations } from '../../storage/declared-invoices.ts';
import { IMPORTER } from '../import/merge-record.ts';
import type { DataTarget } from '../data-target.ts';

const MAX_READ = 100;

/** What a supplier has declared since an instant, every revision of it, some at a time; what was imported was not declared here. */
export async function* readDeclarations(
  { client, tables }: DataTarget,
  scope: SupplierScope,
  since: Date,
): AsyncGenerator<DeclarationRevision[]> {
  const { revisions } = createDeclarationTable(client, tables.Declarations);
  for await (const current of currentDeclarations(client, tables.Invoices, scope)) {
    // Revisions have no gaps.
    const places = current.flatMap(({ invoiceId, revision }) =>
      Array.from({ length: revision }, (_, index) => ({ invoiceId, revision: index + 1 })),
    );
    for (let start = 0; start < places.length; start += MAX_READ) {
      const read = await revisions(scope, places.slice(start, start + MAX_READ));
      yield read.filter(({ declaredAt, declaredBy }) => declaredAt >= since.toISOString() && declaredBy !== IMPORTER);
    }
  }
}
