import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { saveTables } from '../../support/data/saved-tables.ts';
import { readBlock, readSection } from '../../support/guides/readme.ts';
import { createOpsTenant } from '../../support/ops/ops-tenant.ts';
import { SINCE_YESTERDAY } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

useDirectory();
const engine = useEngine();
const guide = ['infra/ops/runbook.md', 'Data loss or damage'] as const;

/** Runs the lines of the guide with a shell function that prints the calls of AWS. */
const listCalls = (lines: string) =>
  execFileSync('bash', ['-ec', `aws() { echo "$@"; }\n${lines}`], { encoding: 'utf8' })
    .trim()
    .split('\n');

it('the steps of the runbook restore the tables, with the amounts that the ERP corrected after a declaration', async () => {
  const company = await createOpsTenant(engine);
  const correct = (amount: number) =>
    company.importRecords([{ invoice_id: '1', system_amount: amount }], '--force', '--reason', 'Corrected in the ERP');
  const exportDeclarations = async () => {
    const options = ['--cursor-file', 'demo.cursor', ...SINCE_YESTERDAY];
    return (await company.runJson<{ declarations: object[] }>('export-declarations', ...options)).declarations;
  };
  await company.importRecords([{ invoice_id: '1' }, { invoice_id: '2' }]);
  await company.declare('1', 1010);
  await correct(950);
  await exportDeclarations();
  const restoreTables = await saveTables(engine);
  const time = new Date().toISOString();
  await setTimeout(2);
  await correct(1);
  await company.declare('2', 7);
  expect(await exportDeclarations()).toHaveLength(1);

  const steps = readSection(...guide);
  const commands = [...steps.matchAll(/`ops ([\w-]+)(?: TENANT)?([^`]*)`/g)].map(([, name = '', options = '']) => ({
    name,
    options: options.replace('TIME', time).trim().split(' ').filter(Boolean),
  }));
  expect(commands.map(({ name }) => name)).toEqual(['undo', 'changes', 'rotate-signing-key', 'verify', 'verify']);
  const [, changes, , verify] = commands;
  const lostChanges = await company.run(changes!.name, ...changes!.options);
  expect(lostChanges.stdout).toMatch(/system_amount: 950 → 1 [\s\S]*declared_amount: - → 7/);
  expect(listCalls(readBlock(...guide, 'sh').replace('TABLE_NAME', 'Invoices-1'))).toEqual([
    'dynamodb restore-table-to-point-in-time --source-table-name Invoices-1 --target-table-name Invoices-1-2' +
      ' --restore-date-time 2026-11-20T13:59:59Z',
    'dynamodb wait table-exists --table-name Invoices-1-2',
    'dynamodb update-continuous-backups --table-name Invoices-1-2' +
      ' --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true',
    'dynamodb update-table --table-name Invoices-1-2 --deletion-protection-enabled',
  ]);
  await restoreTables();
  expect(await company.run(verify!.name, ...verify!.options)).toMatchObject({ code: 0 });
  const restored = { system_amount: 950, declared_amount: 1010, version: 3 };
  expect(await company.runJson('show', '1')).toMatchObject(restored);
  expect(await company.runJson('show', '2')).toMatchObject({ declared_amount: null, version: 1 });

  await company.declare('2', 8);
  expect(await exportDeclarations()).toMatchObject([{ invoice_id: '2', revision: 1, declared_amount: 8 }]);
});
