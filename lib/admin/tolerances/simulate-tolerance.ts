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
import { findSuppliers } from '../directory/find-suppliers.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';

/** A tolerance that is proposed as the global one of a tenant or, when a supplier is named, as its own. */
export interface Proposal {
  readonly tenant: string;
  readonly supplierId: string | undefined;
  readonly config: ToleranceConfig;
}

/**
 * What a proposed tolerance would have made of declarations; `notAffected`: how many are of suppliers with their own.
 */
export interface Simulation {
  readonly rule: Tolerance;
  readonly fates: readonly Fate[];
  readonly notAffected: number;
}

const PARALLEL_SUPPLIERS = 4;
const MAX_READ = 100;

/** Replays the declarations since an instant under a proposed tolerance; nothing is written. */
export async function simulateTolerance(
  ports: AdminPorts,
  { tenant, supplierId, config }: Proposal,
  since: Date,
): Promise<Simulation> {
  const isGlobal = supplierId === undefined;
  const rule = isGlobal ? effectiveTolerance(null, config) : effectiveTolerance(config, null);
  const suppliers = await findSuppliers(ports, tenant, supplierId);
  const replay = new Replay(rule);
  let notAffected = 0;
  await inPool(suppliers, PARALLEL_SUPPLIERS, async (supplier) => {
    const scope = { tenant, supplierId: supplier.supplierId };
    for await (const declarations of readDeclarations(ports, scope, since)) {
      if (isGlobal && supplier.tolerance) notAffected += declarations.length;
      else for (const declaration of declarations) replay.add(declaration);
    }
  });
  return { rule, fates: replay.fates, notAffected };
}

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
    const keys = current.flatMap(({ invoiceId, revision }) =>
      Array.from({ length: revision }, (_, index) => ({ invoiceId, revision: index + 1 })),
    );
    for (let start = 0; start < keys.length; start += MAX_READ) {
      const read = await declarations.revisions(scope, keys.slice(start, start + MAX_READ));
      yield read.filter(({ declaredAt, declaredBy }) => declaredAt >= since.toISOString() && declaredBy !== IMPORTER);
    }
  }
}

/**
 * Declarations that met with `before` when they were made, and meet with `after` under the proposed rule; the sums are
 * exact.
 */
export interface Fate {
  readonly before: Action;
  readonly after: Action;
  declarations: number;
  declared: Decimal;
  /** Declared minus system amounts. */
  difference: Decimal;
}

/** Replays declarations, one after the other, under a proposed rule. */
export class Replay {
  readonly #rule: Tolerance;
  /** What changes, then what stays. */
  readonly fates: readonly Fate[] = [
    noneYet('AUTO_APPROVE', 'REVIEW'),
    noneYet('REVIEW', 'AUTO_APPROVE'),
    noneYet('AUTO_APPROVE', 'AUTO_APPROVE'),
    noneYet('REVIEW', 'REVIEW'),
  ];

  constructor(rule: Tolerance) {
    this.#rule = rule;
  }

  /** Adds a declaration, against the system amount of its time; what the company's decision held stays in review. */
  add({ amount, systemAmount, outcome, heldForReview }: DeclarationRevision): void {
    const { action, difference } = compare(amount, systemAmount, this.#rule);
    const after = heldForReview ? 'REVIEW' : action;
    for (const fate of this.fates) {
      if (fate.before !== outcome.action || fate.after !== after) continue;
      fate.declarations += 1;
      fate.declared = fate.declared.plus(amount);
      fate.difference = fate.difference.plus(difference);
    }
  }
}

function noneYet(before: Action, after: Action): Fate {
  return { before, after, declarations: 0, declared: decimal(0), difference: decimal(0) };
}
