import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ExportCursor, exportDeclarations } from '../../infra/ops/export/export-declarations.ts';
import type { LogEntry, LoggedDeclaration } from '../../lib/tables/declaration-table.ts';
import type { LogPosition } from '../../lib/invoices/transactions.ts';
import { buildRevision } from '../support/data/stream-records.ts';

const SHARDS = 3;
const TENANT = 't.example';
const scope = { tenant: TENANT, supplierId: '1' };

/** Generates transactions: the declared invoices, the shard, and the clock of the process that writes the transaction. */
const transaction = fc.record({
  invoices: fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1, maxLength: 2 }),
  shard: fc.nat({ max: SHARDS - 1 }),
  clockMs: fc.nat({ max: 100_000 }),
});

/** Creates a log in memory, in which a transaction is visible immediately after its commit. */
function createLog() {
  const shards: LogEntry[][] = Array.from({ length: SHARDS }, () => []);
  const latest = new Map<string, { revision: number; position: LogPosition }>();
  return {
    shards,
    commit: ({ invoices, shard, clockMs }: { invoices: readonly string[]; shard: number; clockMs: number }) => {
      const position = { shard, number: (shards[shard]?.length ?? 0) + 1 };
      const declarations = invoices.map((invoiceId): LoggedDeclaration => {
        const before = latest.get(invoiceId);
        const revision = (before?.revision ?? 0) + 1;
        latest.set(invoiceId, { revision, position });
        const declared = buildRevision({ invoiceId, revision, declaredAt: new Date(clockMs).toISOString() });
        return { scope, revision: declared, previousPosition: before?.position ?? null };
      });
      shards[shard]?.push({ number: position.number, declarations });
      return declarations.map(formatKey);
    },
  };
}

const formatKey = ({ revision }: LoggedDeclaration) => `${revision.invoiceId}#${revision.revision}`;

it('successive exports contain every declaration exactly once, in the order of revisions, for any clocks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(transaction, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      async (scheduler, transactions, pageEntries) => {
        const { shards, commit } = createLog();
        const schedule = <Result>(call: string, read: () => Result) =>
          scheduler.schedule(Promise.resolve(), call).then(read);
        const declarationLog = {
          shardCount: SHARDS,
          readLatestNumbers: () => Promise.all(shards.map((entries) => schedule('latest', () => entries.length))),
          readAfter: (_: string, shard: number, number: number) =>
            schedule('after', () => (shards[shard] ?? []).slice(number, number + pageEntries)),
        };
        const committed: string[] = [];
        const exported: string[] = [];
        const exportOnce = async (after: ExportCursor) => {
          const run = exportDeclarations({ declarationLog }, TENANT, after);
          for await (const declarations of run.declarations) exported.push(...declarations.map(formatKey));
          return run.getCursor();
        };
        const commitAll = async () => {
          for (const next of transactions) await schedule('commit', () => committed.push(...commit(next)));
        };
        const exportThreeTimes = async () => {
          let cursor: ExportCursor = [];
          for (let run = 0; run < 3; run++) cursor = await exportOnce(cursor);
          return cursor;
        };
        const [cursor] = await scheduler.waitFor(Promise.all([exportThreeTimes(), commitAll()]));
        await scheduler.waitFor(exportOnce(cursor));

        expect(exported.toSorted()).toEqual(committed.toSorted());
        const groupByInvoice = (keys: readonly string[]) => Map.groupBy(keys, (text) => text.split('#')[0]);
        expect(groupByInvoice(exported)).toEqual(groupByInvoice(committed));
      },
    ),
    { numRuns: 1000 },
  );
});
