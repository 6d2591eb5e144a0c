import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import { type DeclarationRevision, IMPORTER } from '../../../lib/domain/declaration.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import {
  evaluateTolerance,
  effectiveTolerance,
  type Tolerance,
  type ToleranceConfig,
} from '../../../lib/domain/tolerance.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { findSuppliers } from './read-directory.ts';

/** A tolerance that is proposed for a supplier or, without a supplier, as the global tolerance of a tenant. */
export interface Proposal {
  readonly tenant: string;
  readonly supplierId: string | undefined;
  readonly config: ToleranceConfig;
}

const PARALLEL_SUPPLIERS = 4;

/**
 * Replays the declarations since an instant under a proposed tolerance; nothing is written. `notAffected` is the number
 * of declarations of suppliers with their own tolerance.
 */
export async function simulateTolerance(
  ports: AdminPorts,
  { tenant, supplierId, config }: Proposal,
  since: Date,
): Promise<{ rule: Tolerance; changes: readonly ActionChange[]; notAffected: number }> {
  const isGlobal = supplierId === undefined;
  const rule = isGlobal ? effectiveTolerance(null, config) : effectiveTolerance(config, null);
  const suppliers = await findSuppliers(ports, tenant, supplierId);
  const replay = createReplay(rule);
  let notAffected = 0;
  await forEachConcurrent(suppliers, PARALLEL_SUPPLIERS, async (supplier) => {
    const scope = { tenant, supplierId: supplier.supplierId };
    for await (const declarations of readDeclarations(ports, scope, since)) {
      if (isGlobal && supplier.tolerance) notAffected += declarations.length;
      else for (const declaration of declarations) replay.add(declaration);
    }
  });
  return { rule, changes: replay.changes, notAffected };
}

/** Reads all revisions that a supplier has declared since an instant, page by page, without those of an import. */
export async function* readDeclarations(
  { declarations, revisionKeys }: Pick<AdminPorts, 'declarations' | 'revisionKeys'>,
  scope: SupplierScope,
  since: Date,
): AsyncGenerator<DeclarationRevision[]> {
  for await (const keys of revisionKeys(scope)) {
    const read = await declarations.revisions(scope, keys);
    yield read.filter(({ declaredAt, declaredBy }) => declaredAt >= since.toISOString() && declaredBy !== IMPORTER);
  }
}

// First the declarations whose action changes, then those whose action stays the same.
const ACTIONS = [
  { before: 'AUTO_APPROVE', after: 'REVIEW' },
  { before: 'REVIEW', after: 'AUTO_APPROVE' },
  { before: 'AUTO_APPROVE', after: 'AUTO_APPROVE' },
  { before: 'REVIEW', after: 'REVIEW' },
] as const;

/** The exact sums of the declarations whose action was `before`, and is `after` under the proposed rule. */
export type ActionChange = ReturnType<typeof createReplay>['changes'][number];

/** Creates a replay of declarations under a proposed rule. `difference` sums declared minus system amounts. */
export function createReplay(rule: Tolerance) {
  const changes = ACTIONS.map((actions) => ({
    ...actions,
    declarations: 0,
    declared: decimal(0),
    difference: decimal(0),
  }));
  return {
    changes,
    /** Adds a declaration with the system amount of its time. A declaration held for review stays in review. */
    add({ amount, systemAmount, outcome, requiresManualReview }: DeclarationRevision): void {
      const { action, difference } = evaluateTolerance(amount, systemAmount, rule);
      const after = requiresManualReview ? 'REVIEW' : action;
      const change = changes.find((candidate) => candidate.before === outcome.action && candidate.after === after);
      if (!change) return;
      change.declarations += 1;
      change.declared = change.declared.plus(amount);
      change.difference = change.difference.plus(difference);
    },
  };
}
