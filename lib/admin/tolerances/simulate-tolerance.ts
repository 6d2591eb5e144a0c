import { effectiveTolerance, type Tolerance, type ToleranceConfig } from '../../domain/tolerance.ts';
import { findSuppliers } from '../directory/find-suppliers.ts';
import { inPool } from '../../runtime/pool.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { readDeclarations } from './read-declarations.ts';
import { type Fate, Replay } from './replay.ts';

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
