import { setTimeout } from 'node:timers/promises';
import { type ExportCursor, exportDeclarations } from '../../../infra/ops/export/export-declarations.ts';
import { createDeclarationLog } from '../../../lib/tables/declaration-table.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import type { StoredInvoice } from './proof-checks.ts';

const PAUSE_MS = 2_000;

/** The revisions of each invoice in the order in which the exports had them. */
type ExportedRevisions = ReadonlyMap<string, readonly number[]>;

/** Exports the declarations of a tenant every few seconds, each time from the cursor of the last time, until the end. */
export function exportRepeatedly({ client, tables }: TestEngine, tenant: string) {
  const declarationLog = createDeclarationLog(client, tables.Declarations);
  const revisions = new Map<string, number[]>();
  let cursor: ExportCursor = [];
  let runs = 0;
  const exportOnce = async () => {
    const run = exportDeclarations({ declarationLog }, tenant, cursor);
    for await (const declarations of run.declarations) {
      for (const { revision } of declarations) {
        const known = revisions.get(revision.invoiceId) ?? [];
        revisions.set(revision.invoiceId, [...known, revision.revision]);
      }
    }
    cursor = run.cursor();
    runs++;
  };
  const ended = new AbortController();
  const repeated = (async () => {
    while (!ended.signal.aborted) {
      await exportOnce();
      await setTimeout(PAUSE_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return {
    /** Exports once more, and gives what all exports had. */
    async end(): Promise<{ runs: number; revisions: ExportedRevisions }> {
      ended.abort();
      await repeated;
      await exportOnce();
      return { runs, revisions };
    },
  };
}

/** Every invoice of which the exports together have something else than its history. */
export function exportViolations(exported: ExportedRevisions, stored: readonly StoredInvoice[]): string[] {
  return stored.flatMap(({ invoice, history }) => {
    const wanted = history.map(({ revision }) => revision).join(', ');
    const found = (exported.get(invoice) ?? []).join(', ');
    return found === wanted ? [] : [`invoice ${invoice}: the exports have the revisions ${found}, not ${wanted}`];
  });
}
