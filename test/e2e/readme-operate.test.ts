import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { createEngineDocumentClient } from '../../infra/local/engine-client.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { copyItems, copyTable } from '../support/data/copy-table.ts';
import { readFirstSheet } from '../support/data/read-workbook.ts';
import { startFakeEventBus } from '../support/fakes/fake-event-bus.ts';
import { createLocalClient } from '../support/service/service-client.ts';
import { startLocalService, useLocalService } from '../support/service/local-service.ts';
import { useStarted } from '../support/setup/use-started.ts';
import { readBlock, readGuide, readSection, readTableNames } from '../support/guides/readme.ts';
import { commandNames, listCommandsWithOption, runCli } from '../support/ops/run-ops.ts';

// The input of set-password.
const PASSWORD = 'Demo-2026!\n';

const root = fileURLToPath(new URL('../../', import.meta.url));

const splitWords = (command: string) => [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** Runs an operators' command on a service, within this process. */
const runCommand = ({ endpoint }: LocalService, words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli(words, { env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint, ...env }, input: PASSWORD });

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

describe('the command line in its guides and in its help', () => {
  const empty = useLocalService({ demo: false });
  const demo = useStarted(() => startLocalService({ demo: 'whole' }));
  const bus = useStarted(startFakeEventBus);
  const archives = useStarted(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'archives-'));
    return { folder, close: () => rm(folder, { recursive: true }) };
  });

  it('the commands of the guide fill an empty service with the demo data', { tags: 'long' }, async () => {
    const printed = await runBlock(empty, readBlock('infra/ops/README.md', 'Commands', 'sh'));
    expect(printed).toMatch(/^1000 created, 0 changed, 0 unchanged, 0 rejected$/m);
    expect(printed).toContain('0 differences');
    const exportTenant = (service: LocalService) => runCommand(service, ['export', 'demo.example', '--local']);
    expect(await exportTenant(empty)).toEqual(await exportTenant(demo));
  });

  it('the commands of the guide import the sample of an ERP, first in a dry run', async () => {
    const printed = await runBlock(demo, readBlock('infra/ops/guides/invoices.md', 'Try it', 'sh'));
    const counts = '"Moneda" left out.\n3 created, 0 changed, 0 unchanged, 0 rejected\n';
    const formats = 'Read as UTF-8, separated by semicolons, decimal comma.\ninvoice_id from "Comprobante", ';
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
        expect((await run(mistake)).match(/^[1-9]\d* decided, 0 unchanged, .* 0 rejected$/gm)).toHaveLength(2);
        const printed = await run(block, withoutNpm.replace('node', 'LC_ALL=es_AR.UTF-8 node'));
        const shown = readBlock('infra/ops/guides/month.es.md', 'Los comandos', 'text').trim().split('\n');
        expect(printed.split('\n')).toEqual(expect.arrayContaining(shown));
        expect(printed.match(/^decididas: [1-9]\d*, sin cambios: 0, sin decisión: 0, rechazadas: 0$/gm)).toHaveLength(
          3,
        );
        expect(printed).toMatch(/^REV En revisión +[1-9][^]*^LIQ Liquidada +[1-9]/m);
        expect(await readFile(join(folder, 'declarations.csv'), 'utf8')).toMatch(/^203,9302,79302,1,880,/m);
      } finally {
        await service.close();
        await rm(folder, { recursive: true });
      }
    },
  );

  it('the commands of the guide restore a tenant from its backups in another region', { tags: 'long' }, async () => {
    const guide = 'infra/region-lost.md';
    const folder = await mkdtemp(join(tmpdir(), 'region-'));
    const [lost, other] = [await startLocalService({ demo: true }), await startLocalService({ demo: false })];
    // Between the backups, a supplier declares and the company decides.
    const declare = async (invoiceId: string, amount: number) =>
      createLocalClient(lost).declareInvoice({ invoice_id: invoiceId, amount, notes: 'Peaje, "Ruta 9"' });
    const listRows = async (service: LocalService) => {
      const { stdout } = await runCommand(service, ['list-invoices', 'demo.example', '--csv', '--local']);
      const records = parse<Record<string, string>>(stdout, { columns: true });
      const isNotRestored = (column: string) => ['declared_at', 'declared_tax_pct', 'revision'].includes(column);
      return records.map((row) => Object.entries(row).filter(([column]) => !isNotRestored(column)));
    };
    const toScript = (heading: string) => `cd ${folder}; ${readBlock(guide, heading, 'sh').replace(/^RUN=.*$/m, '')}`;
    const npm = `npm() { node ${root}infra/ops/cli.ts "\${@:5}"; }`;
    try {
      await declare('9001', 1050);
      await runShell(toScript('Every quarter of an hour'), lost, `${npm}; RUN=1`);
      for (const amount of [1052, 1051]) await declare('9001', amount);
      await declare('9009', 340.5);
      await runShell(toScript('Every quarter of an hour'), lost, `${npm}; RUN=2`);
      await runCommand(lost, ['set-state', 'demo.example', '9009', 'LIQ', '--reason', 'Paid', '--local']);
      const erpLines = (await readFile(join(root, 'infra/local/demo/invoices.ndjson'), 'utf8')).trim().split('\n');
      const invoices = erpLines.map((line) => {
        const invoice = JSON.parse(line, (name, value) => (name.startsWith('declar') ? undefined : value));
        return { ...invoice, ...(invoice.invoice_id === '9009' && { state_code: 'LIQ' }) };
      });
      const decided = invoices
        .filter(({ state_code: code }) => ['REC', 'AJU', 'LIQ'].includes(code))
        .map(({ supplier_id, invoice_id, state_code }) => ({ supplier_id, invoice_id, state_code }));
      for (const [name, records] of Object.entries({ invoices, decided }))
        await writeFile(join(folder, `${name}.ndjson`), records.map((record) => JSON.stringify(record)).join('\n'));
      const printed = await runShell(toScript('Restore the service'), other, npm);
      expect(printed).toMatch(/\n1 tenant, 0 differences\nEarlier cursors of .+\n$/);
      expect(await listRows(other)).toEqual(await listRows(lost));
    } finally {
      await Promise.all([lost.close(), other.close()]);
      await rm(folder, { recursive: true });
    }
  });

  it('the commands of the runbook change invoices back from a copy of their table', { tags: 'long' }, async () => {
    const section = readSection('infra/ops/runbook.md', 'Data loss or damage');
    const [write = '', apply = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
    const folder = await mkdtemp(join(tmpdir(), 'damage-'));
    const service = await startLocalService({ demo: true });
    const client = createEngineDocumentClient(service.endpoint);
    const { Invoices } = readStack().tableNames;
    const setup = `cd ${folder}; aws() { echo "aws $*"; }; ops() { node ${root}infra/ops/cli.ts "$@" --local; }`;
    const list = async () => (await runCommand(service, ['list-invoices', 'demo.example', '--csv', '--local'])).stdout;
    const importRecords = (records: readonly object[]) => {
      const input = records.map((record) => JSON.stringify({ supplier_id: '200', ...record })).join('\n');
      const args = ['import-invoices', '-', '--tenant', 'demo.example', '--force', '--reason', 'Bad file', '--local'];
      return runCli(args, { env: { AWS_ENDPOINT_URL_DYNAMODB: service.endpoint }, input });
    };
    try {
      await createLocalClient(service).declareInvoice({ invoice_id: '9001', amount: 1050 });
      const before = await list();
      await copyTable({ client }, Invoices, `${Invoices}-restored`);
      await importRecords([
        { invoice_id: '9001', system_amount: 1, account_name: null },
        { invoice_id: '9009', system_amount: 2, state_code: 'LIQ' },
        { invoice_id: '99001', service_id: '1', system_amount: 3 },
      ]);
      expect(await list()).not.toBe(before);
      const written = await runShell(write.replace('TABLE_NAME', Invoices), service, setup);
      expect(written).toContain(`aws dynamodb wait table-exists --table-name ${Invoices}-restored\n`);
      const applied = await runShell(`TENANT=demo.example\n${apply}`, service, setup);
      expect(applied).toMatch(/^0 created, 2 changed, [^]+^1 decided, [^]+\n1 tenant, 0 differences\n$/m);
      expect(await list()).toBe(before);
      await createLocalClient(service).declareInvoice({ invoice_id: '9001', amount: 1049 });
    } finally {
      client.destroy();
      await service.close();
      await rm(folder, { recursive: true });
    }
  });

  it(
    'the commands of the guide restore whole tables, after which earlier cursors are rejected',
    { tags: 'long' },
    async () => {
      const [lost, other] = [await startLocalService({ demo: true }), await startLocalService({ demo: false })];
      const clients = [lost, other].map(({ endpoint }) => createEngineDocumentClient(endpoint));
      const [source, target] = clients as [(typeof clients)[number], (typeof clients)[number]];
      const run = (service: LocalService, ...words: string[]) => runCommand(service, [...words, '--local']);
      try {
        await createLocalClient(lost).declareInvoice({ invoice_id: '9001', amount: 1050 });
        const { cursor } = JSON.parse((await run(lost, 'export-declarations', 'demo.example', '--json')).stdout) as {
          cursor: string;
        };
        // The restored tables have the same names in the other engine.
        const { Directory, Invoices, Declarations } = readStack().tableNames;
        for (const table of [Directory, Invoices, Declarations]) {
          await copyItems({ client: source, table }, { client: target, table });
        }
        const section = readSection('infra/region-lost.md', 'Restore whole tables');
        const blocks = [...section.matchAll(/ *```sh\n(.*?)```/gs)].map(([, block = '']) => block);
        const printed = await runShell(blocks.join('\n'), other, `aws() { :; }; ${withoutNpm}`);
        expect(printed).toMatch(/\n2 tenants, 0 differences\nEarlier cursors of .+ are now rejected\.\n$/);
        const listed = await Promise.all([lost, other].map((service) => run(service, 'list-invoices', 'demo.example')));
        expect(listed[1]).toEqual(listed[0]);
        await createLocalClient(other).declareInvoice({ invoice_id: '9001', amount: 1049 });
        const rejected = await run(other, 'export-declarations', 'demo.example', '--since', cursor);
        expect([rejected.code, rejected.stderr]).toEqual([2, expect.stringContaining('Export again without it')]);
        const exported = await run(other, 'export-declarations', 'demo.example', '--since', '2026-01-01', '--csv');
        expect(exported.stdout).toMatch(/^200,9001,\d+,1,1050,[^]+^200,9001,\d+,2,1049,/m);
      } finally {
        for (const client of clients) client.destroy();
        await Promise.all([lost.close(), other.close()]);
      }
    },
  );

  it('a command with --json prints one JSON document and nothing else, as the guide needs it', async () => {
    const [command = '', filter = ''] = readBlock('infra/ops/README.md', 'In scripts', 'sh').split(' | ');
    expect(filter).toContain('.keys[].name');
    const { keys } = JSON.parse(await runShell(command, demo, '')) as { keys: { name: string }[] };
    expect(keys.map(({ name }) => name)).toContain('ERP');
  });

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
    const [, example = ''] = /Example:\n {2}\$ npm run -s ops -- (.+)/.exec(help) ?? [];
    const confirmation = listCommandsWithOption('--yes').includes(name) ? ['--yes'] : [];
    // A real rotation takes seconds, and test/integration/ops/dry-run.test.ts runs one.
    const dryRun = name === 'rotate-signing-key' ? ['--dry-run'] : [];
    const env = { AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url };
    const command = example.replace('Invoices-restored', readStack().tableNames.Invoices);
    if (name === 'erase-tenant') await runCommand(demo, splitWords('suspend-company sur.example 100 --yes --local'));
    const words = splitWords(command).map((word) => (word === 'archive-2015' ? join(archives.folder, word) : word));
    expect(await runCommand(demo, [...words, ...confirmation, ...dryRun], env)).toEqual({
      code: name === 'find-request' ? 1 : 0,
      stdout: expect.stringMatching(/./),
      stderr: expect.any(String),
    });
  });
});
