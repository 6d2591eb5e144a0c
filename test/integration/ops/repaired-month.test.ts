import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { createOpsTenant } from '../../support/ops/ops-tenant.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();

interface ListedRow {
  readonly invoice_id: string;
  readonly revision: number | null;
  readonly state_code: string;
}

it('a month with a wrong import and a wrong review sheet is repaired by undo, and its declarations are exported once', async () => {
  const company = await createOpsTenant(engine);
  const cursorFile = join(await mkdtemp(join(tmpdir(), 'month-')), 'cursor');
  const ids = ['1', '2', '3', '4', '5'];
  const listRows = async () => (await company.runJson<{ invoices: ListedRow[] }>('list-invoices')).invoices;
  const exportRevisions = async () => {
    const { stdout } = await company.run('export-declarations', '--cursor-file', cursorFile, '--from-start', '--csv');
    return Array.from(stdout.matchAll(/^10,(\d+),\d+,(\d+),/gm), ([, id, revision]) => `${id}#${revision}`);
  };
  /** Reads the invoices without their versions and times. */
  const readInvoices = async () => {
    const items = await readStoredInvoices(engine, company.scope);
    return new Map(Array.from(items, ([id, { version: _version, changed_at: _time, ...item }]) => [id, item]));
  };

  // The month: an import, declarations, and an export.
  await company.importRecords(ids.map((invoice_id) => ({ invoice_id, account_name: `Client ${invoice_id}` })));
  for (const id of ['1', '2', '3']) await company.declare(id, 1100);
  expect(await exportRevisions()).toEqual(['1#1', '2#1', '3#1']);
  const before = await readInvoices();

  // The import of another month by mistake, and a sheet in which all declared invoices are settled.
  const start = new Date().toISOString();
  const wrongRecords = [...ids, '6', '7'].map((invoice_id) => ({
    invoice_id,
    account_name: 'Other',
    system_amount: 7,
  }));
  const forced = await company.importRecords(wrongRecords, '--force', '--reason', 'New prices');
  expect(forced.stdout).toContain('2 created, 5 changed, 0 unchanged, 0 rejected');
  const declared = (await listRows()).filter(({ revision }) => revision !== null);
  const sheet = declared.map((row) => ({ ...row, decision: 'LIQ' }));
  expect((await company.decide(sheet)).stdout).toContain('3 decided');

  // Meanwhile, a supplier declares an amount on an invoice of the wrong import.
  await company.declare('5', 7);

  // The operator finds the commands and what they changed, and undoes both, the latest first.
  const { entries } = await company.runJson<{ entries: OperatorEntry[] }>('audit', '--since', start);
  const [importId = '', decideId = ''] = entries.map(({ id }) => id);
  const { changes } = await company.runJson<{ changes: object[] }>('changes', '--since', start, '--command', importId);
  expect(changes).toHaveLength(5);
  expect((await company.undo(decideId)).stdout).toBe('0 invoices undone, 3 left alone\n');
  expect((await company.undo(decideId, '--force')).stdout).toBe('3 invoices undone, 0 left alone\n');
  const undone = await company.undo(importId);
  expect([undone.code, undone.stdout]).toEqual([1, '6 invoices undone, 1 left alone\n']);
  expect(undone.stderr).toMatch(
    /^left alone: invoice 5 of supplier 10: it has changed since, by 7 at .+ \(declaration\)\n$/,
  );

  const after = await readInvoices();
  for (const id of ['1', '2', '3', '4']) expect(after.get(id)).toEqual(before.get(id));
  expect((await listRows()).map(({ invoice_id: id }) => id).toSorted()).toEqual(ids);
  expect((await company.run('verify')).code).toBe(0);
  expect(await exportRevisions()).toEqual(['5#1']);
  // The last invoice is corrected by another import.
  const [record] = wrongRecords.filter(({ invoice_id: id }) => id === '5');
  await company.importRecords([{ ...record!, system_amount: 1000 }], '--force', '--reason', 'As in the contract');
  expect((await readInvoices()).get('5')).toMatchObject({ system_amount: 1000, declared_amount: 7 });
});
