import { type DeclarationRevision, IMPORTER } from '../../domain/declaration.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import {
  type Action,
  compare,
  effectiveTolerance,
  type Tolerance,
  type ToleranceConfig,
} from '../../domain/tolerance.ts';
import { inPool } from '../../runtime/pool.ts';
import { findSuppliers } from './lists.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';

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
  await inPool(suppliers, PARALLEL_SUPPLIERS, async (supplier) => {
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

/** The declarations whose action was `before`, and is `after` under the proposed rule; the sums are exact. */
export interface ActionChange {
  readonly before: Action;
  readonly after: Action;
  declarations: number;
  declared: Decimal;
  /** The sum of declared minus system amounts. */
  difference: Decimal;
}

/** Creates a replay of declarations under a proposed rule. `changes` contains first changed, then equal actions. */
export function createReplay(rule: Tolerance) {
  const changes: readonly ActionChange[] = [
    emptyChange('AUTO_APPROVE', 'REVIEW'),
    emptyChange('REVIEW', 'AUTO_APPROVE'),
    emptyChange('AUTO_APPROVE', 'AUTO_APPROVE'),
    emptyChange('REVIEW', 'REVIEW'),
  ];
  return {
    changes,
    /** Adds a declaration with the system amount of its time. A declaration held for review stays in review. */
    add({ amount, systemAmount, outcome, heldForReview }: DeclarationRevision): void {
      const { action, difference } = compare(amount, systemAmount, rule);
      const after = heldForReview ? 'REVIEW' : action;
      const change = changes.find((candidate) => candidate.before === outcome.action && candidate.after === after);
      if (!change) return;
      change.declarations += 1;
      change.declared = change.declared.plus(amount);
      change.difference = change.difference.plus(difference);
    },
  };
}

function emptyChange(before: Action, after: Action): ActionChange {
  return { before, after, declarations: 0, declared: decimal(0), difference: decimal(0) };
}
