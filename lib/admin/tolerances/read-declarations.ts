import { type DeclarationRevision, IMPORTER } from '../../domain/declaration.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';

const MAX_READ = 100;

/**
 * What a supplier has declared since an instant, every revision of it, some at a time; what was imported was not
 * declared here.
 */
export async function* readDeclarations(
  { declarations, currentDeclarations }: Pick<AdminPorts, 'declarations' | 'currentDeclarations'>,
  scope: SupplierScope,
  since: Date,
): AsyncGenerator<DeclarationRevision[]> {
  for await (const current of currentDeclarations(scope)) {
    // Revisions have no gaps.
    const places = current.flatMap(({ invoiceId, revision }) =>
      Array.from({ length: revision }, (_, index) => ({ invoiceId, revision: index + 1 })),
    );
    for (let start = 0; start < places.length; start += MAX_READ) {
      const read = await declarations.revisions(scope, places.slice(start, start + MAX_READ));
      yield read.filter(({ declaredAt, declaredBy }) => declaredAt >= since.toISOString() && declaredBy !== IMPORTER);
    }
  }
}
