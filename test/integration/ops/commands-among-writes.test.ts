import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import type { OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../../lib/invoices/declare-amounts.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { createTestDeclarationStore } from '../../support/data/declare-one.ts';
import { newId } from '../../support/data/seed.ts';
import { createSeededRandom } from '../../support/data/seeded-random.ts';
import { readStoredHistory } from '../../support/data/stored-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { SINCE_YESTERDAY } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
const IDS = Array.from({ length: 12 }, (_, index) => `${index + 1}`);

interface Actors {
  readonly company: OpsTenant;
  readonly pick: <Value>(values: readonly Value[]) => Value;
}

/** Declares amounts of several invoices in one request, some of them twice. Returns the errors of the store. */
async function declareSome({ company, pick }: Actors): Promise<unknown[]> {
  const requests = [1, 2, 3].map(() => ({ invoiceId: pick(IDS), amount: 1 + Math.floor(Math.random() * 2000) }));
  const context = { tolerance: selectTolerance(null, null), userId: '7', requestId: newId(), newDeclarationId: newId };
  const results = await declareAmounts(createTestDeclarationStore(engine), company.scope, requests, context);
  // A withdrawn invoice is not found, and a settled one is not valid.
  return results.flatMap((result) =>
    result.kind === 'rejected' && result.error.code === 'INTERNAL_ERROR' ? [result.error.cause] : [],
  );
}

/** Imports changes of all invoices, and the same new invoices as the other importer. */
function importSome({ company, pick }: Actors, round: number) {
  const records = [...IDS, `${100 + round}`, `${200 + round}`].map((invoice_id) => ({
    invoice_id,
    account_name: pick(['A', 'B', 'C']),
    system_amount: pick([1000, 1001]),
    ...pick<object>([{}, { state_code: pick(['PEN', 'ENV', 'REC']) }, { declared_amount: pick([900, 901]) }]),
  }));
  return company.importRecords(records, '--force', '--reason', 'An import');
}

async function decideSome({ company, pick }: Actors) {
  const { invoices } = await company.runJson<{ invoices: object[] }>('list-invoices');
  return company.decide(invoices.map((row) => ({ ...row, decision: pick(['APR', 'REC', 'PEN', 'WITHDRAW', null]) })));
}

function withdrawOrRestore({ company, pick }: Actors) {
  const options = ['--reason', 'A test'];
  return pick([
    () => company.run('withdraw-invoice', pick(IDS), ...options, '--force'),
    () => company.run('restore-invoice', pick(IDS), ...options),
  ])();
}

/** Undoes one of the last commands, which can be a change of state that nobody else has changed since. */
async function undoSome({ company, pick }: Actors) {
  await company.run('set-state', pick(IDS), pick(['APR', 'REV']), '--reason', 'A test', '--force');
  const { entries } = await company.runJson<{ entries: OperatorEntry[] }>('audit', '--limit', '4');
  return company.undo(pick(entries).id, '--force');
}

/** Repeats an action one after the other. Returns the results. */
async function repeat<Result>(times: number, action: (round: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round < times; round++) results.push(await action(round));
  return results;
}

/** Reads the histories of all invoices, and checks that versions have no gap and that times ascend. */
async function readAllChanges({ scope }: OpsTenant): Promise<RecordedChange[]> {
  const { invoices, histories } = createAdminPorts(engine);
  const changes: RecordedChange[] = [];
  for await (const page of invoices.readItems(scope)) {
    for (const { sk: invoiceId } of page) {
      const history = await histories.read(scope, invoiceId);
      const first = history[0]?.version ?? 1;
      expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => first + index));
      const times = history.map(({ changedAt }) => changedAt);
      expect(times).toEqual([...new Set(times)].toSorted());
      changes.push(...history);
    }
  }
  return changes;
}

it('declarations, commands, undo and exports at the same time lose nothing, and each declaration is exported once', async () => {
  const random = createSeededRandom(1);
  const company = await createOpsTenant(engine);
  await company.importRecords(IDS.map((invoice_id) => ({ invoice_id })));
  const cursorFile = join(await mkdtemp(join(tmpdir(), 'among-')), 'cursor');
  const exported: string[] = [];
  const exportOnce = async () => {
    const options = ['--cursor-file', cursorFile, ...SINCE_YESTERDAY];
    const { declarations } = await company.runJson<{ declarations: { invoice_id: string; revision: number }[] }>(
      'export-declarations',
      ...options,
    );
    exported.push(...declarations.map(({ invoice_id: id, revision }) => `${id}#${revision}`));
  };
  const actors: Actors = { company, pick: (values) => values[Math.floor(random() * values.length)]! };

  const [errors, runs] = await Promise.all([
    Promise.all([1, 2, 3].map(() => repeat(15, () => declareSome(actors)))),
    Promise.all([
      ...[1, 2].map(() => repeat(5, (round) => importSome(actors, round))),
      repeat(5, () => decideSome(actors)),
      ...[1, 2].map(() => repeat(8, () => withdrawOrRestore(actors))),
      repeat(8, () => undoSome(actors)),
    ]),
    repeat(12, exportOnce),
  ]);
  await exportOnce();

  expect(errors.flat(2)).toEqual([]);
  // Some commands reject what others have changed. None fails.
  expect(runs.flat().filter(({ code }) => code === 3)).toEqual([]);
  expect((await company.run('verify')).stdout).toMatch(/^22 invoices compared with their histories, 0 differ\.$/m);
  // Both importers have tried to create the same 10 invoices.
  const created = runs.flat().map(({ stdout }) => Number(/^(\d+) created/m.exec(stdout)?.[1] ?? 0));
  expect(created.reduce((sum, count) => sum + count, 0)).toBe(10);
  const changes = await readAllChanges(company);
  const declared = changes.flatMap(({ invoiceId, revision }) =>
    revision ? [`${invoiceId}#${revision.revision}`] : [],
  );
  expect(exported.toSorted()).toEqual(declared.toSorted());
  expect(new Set(changes.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5);
});

it('a change never replaces an item of the history, for example if only the table of invoices was restored', async () => {
  const company = await createOpsTenant(engine);
  await company.importRecords([{ invoice_id: '1' }]);
  const Item = { pk: `${company.tenant}#10#1`, sk: 2, kept: true };
  await engine.client.send(new PutCommand({ TableName: engine.tables.Declarations, Item }));
  const end = performance.now() + 2000;
  const declaration = runWithinDeadline(
    () => end - performance.now(),
    () => company.declare('1', 900),
  );
  await expect(declaration).rejects.toThrow();
  expect((await company.run('set-state', '1', 'LIQ', '--reason', 'Paid')).code).toBe(3);
  expect(await readStoredHistory(engine, company.scope, '1')).toEqual([{ ...Item, version: 2 }]);
});
