import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { readFirstSheet } from '../support/data/read-workbook.ts';
import { startLocalService, useLocalService } from '../support/service/local-service.ts';
import { readBlock, readGuide, readTableNames } from '../support/guides/readme.ts';
import { commandNames, listCommandsWithOption, runCli } from '../support/ops/run-ops.ts';

// The input of set-password.
const PASSWORD = 'Demo-2026!\n';

const root = fileURLToPath(new URL('../../', import.meta.url));

const splitWords = (command: string) => [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** Runs an operators' command on a service, within this process. */
const runCommand = ({ endpoint }: LocalService, words: readonly string[]) =>
  runCli(words, { env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint }, input: PASSWORD });

/** Runs the commands of a block one after the other, and returns their output. All must succeed. */
async function runBlock(service: LocalService, block: string): Promise<string> {
  let printed = '';
  for (const [, command = ''] of block.replaceAll('\\\n', '').matchAll(/^npm run -s ops -- ([^>\n]+)/gm)) {
    const { code, stdout, stderr } = await runCommand(service, splitWords(command));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    printed += stdout;
  }
  return printed;
}

// Starts the command without npm, because npm itself takes as long as the command.
const withoutNpm = 'npm() { node infra/ops/cli.ts "${@:5}"; }';

/** Runs shell lines against a service, as a developer in a fresh clone would. */
async function runShell(script: string, { endpoint }: LocalService, setup = withoutNpm): Promise<string> {
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  const execution = promisify(execFile)('bash', ['--norc', '-ec', `${setup}\n${script}`], { cwd: root, env });
  execution.child.stdin?.end(PASSWORD);
  return (await execution).stdout;
}

const demo = useLocalService();

it('the commands of the guide fill an empty service with the demo data', { tags: 'long' }, async () => {
  const [empty, whole] = await Promise.all([startLocalService({ demo: false }), startLocalService({ demo: 'full' })]);
  const printed = await runBlock(empty, readBlock('infra/ops/README.md', 'Commands', 'sh'));
  expect(printed).toMatch(/^1000 created, 0 changed, 0 unchanged, 0 rejected$/m);
  expect(printed).toContain('0 differ.');
  const exportTenant = (service: LocalService) => runCommand(service, ['export', 'demo.example', '--local']);
  expect(await exportTenant(empty)).toEqual(await exportTenant(whole));
  await Promise.all([empty.close(), whole.close()]);
});

it('the commands of the guide import the sample of an ERP, first in a dry run', async () => {
  const printed = await runBlock(demo, readBlock('infra/ops/guides/invoices.md', 'Try it', 'sh'));
  const counts = '"Moneda" left out.\n3 created, 0 changed, 0 unchanged, 0 rejected\n';
  const formats = 'Read as UTF-8, separated by semicolons.\ninvoice_id from "Comprobante", ';
  expect(printed.split(counts).slice(0, -1)).toEqual([
    expect.stringContaining(formats),
    expect.stringContaining(`Dry run: nothing was written.\n${formats}`),
  ]);
  expect(printed).toMatch(/^system_amount +1050$/m);
});

it('the commands of the guide write the declarations to review into a workbook', async () => {
  const block = readBlock('infra/ops/guides/invoices.md', 'Review what was declared', 'sh');
  const file = join(await mkdtemp(join(tmpdir(), 'review-')), 'review.xlsx');
  const printed = await runBlock(demo, block.replace('review.xlsx', file));
  expect(printed).toMatch(/^REV En revisión +1 +1500 +1800 +300 /m);
  expect(printed).toMatch(/^203 +9302 .* REV /m);
  const { rows } = await readFirstSheet(await readFile(file));
  expect(rows.map((cells) => cells.slice(0, 2))).toEqual([
    ['supplier_id', 'invoice_id'],
    ['200', '9005'],
    ['203', '9302'],
  ]);
});

it(
  'the commands of the monthly guide run, are equal in both languages, and print the Spanish output',
  { tags: 'long' },
  async () => {
    const block = readBlock('infra/ops/guides/month.md', 'The commands', 'sh');
    expect(readBlock('infra/ops/guides/month.es.md', 'Los comandos', 'sh')).toBe(block);
    const mistake = readBlock('infra/ops/guides/month.md', 'A mistake in the import', 'sh');
    expect(readBlock('infra/ops/guides/month.es.md', 'Un error en la importación', 'sh')).toBe(mistake);
    const folder = await mkdtemp(join(tmpdir(), 'month-'));
    const service = await startLocalService({ demo: true });
    try {
      const run = (commands: string, setup?: string) =>
        runShell(commands.replaceAll(/\w+\.cursor|(?<![/\w])\w+\.(?:csv|xlsx)/g, `${folder}/$&`), service, setup);
      const repaired = await run(mistake);
      // A dry run, and the undo of the sheet and of the import.
      expect(repaired.match(/^[1-9]\d* invoices? undone, 0 left alone$/gm)).toHaveLength(3);
      expect(repaired).toMatch(/^20\S+ +amount .* system_amount: 5000 → 500 +Wrong file /m);
      const printed = await run(block, withoutNpm.replace('node', 'LC_ALL=es_AR.UTF-8 node'));
      const shown = readBlock('infra/ops/guides/month.es.md', 'Los comandos', 'text').trim().split('\n');
      expect(printed.split('\n')).toEqual(expect.arrayContaining(shown));
      expect(printed.match(/^decididas: [1-9]\d*, sin cambios: 0, sin decisión: 0, rechazadas: 0$/gm)).toHaveLength(3);
      expect(printed).toMatch(/^REV En revisión +[1-9][^]*^LIQ Liquidada +[1-9]/m);
      expect(await readFile(join(folder, 'declarations.csv'), 'utf8')).toMatch(/^203,9302,79302,1,880,/m);
    } finally {
      await service.close();
      await rm(folder, { recursive: true });
    }
  },
);

it('the guide lists all commands', () => {
  expect(readTableNames('infra/ops/README.md', 'Commands').toSorted()).toEqual(commandNames.toSorted());
});

it('the runbook names only commands and options that exist', () => {
  const calls = [...readGuide('infra/ops/runbook.md').matchAll(/`ops ([\w-]+)([^`]*)`/g)];
  const missing = calls.filter(([, name = '', rest = '']) => {
    const options = rest.match(/--[\w-]+/g) ?? [];
    return !commandNames.includes(name) || options.some((option) => !listCommandsWithOption(option).includes(name));
  });
  expect(calls.length).toBeGreaterThan(20);
  expect(missing.map(([call]) => call)).toEqual([]);
});

it.each(commandNames)('the example in the help of %s runs on the demo data', async (name) => {
  const help = (await runCli([name, '--help'])).stdout;
  const [, shownExample = ''] = /Example:\n {2}\$ npm run -s ops -- (.+)/.exec(help) ?? [];
  // Without the empty days before the demo data, a command reads less.
  const example = shownExample.replace(/(?<=--since )\S+/, new Date(Date.now() - 86_400_000).toISOString());
  const confirmation = listCommandsWithOption('--yes').includes(name) ? ['--yes'] : [];
  // A real rotation takes seconds, and test/integration/ops/dry-run.test.ts runs one.
  const dryRun = name === 'rotate-signing-key' ? ['--dry-run'] : [];
  if (name === 'erase-tenant') await runCommand(demo, splitWords('suspend-company sur.example 100 --yes --local'));
  const run = await runCommand(demo, [...splitWords(example), ...confirmation, ...dryRun]);
  // The demo data have no request and no command with the id of the example.
  const codes: Readonly<Record<string, number>> = { 'find-request': 1, undo: 2 };
  expect(run.code, run.stderr).toBe(codes[name] ?? 0);
  expect(run.stdout + run.stderr).toMatch(/./);
});
