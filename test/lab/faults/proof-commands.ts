import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestEngine } from '../../support/engine/engine.ts';
import { runOps, SINCE_YESTERDAY } from '../../support/ops/run-ops.ts';
import type { ProofSupplier } from './proof-data.ts';

interface ExportedDeclaration {
  readonly invoice_id: string;
  readonly revision: number;
}

/**
 * Runs commands of the company until `finish` is called: imports that change invoices, undos of them, and exports.
 * `finish` exports the rest, and returns all exported declarations as texts such as `9001#2`: invoice and revision.
 */
export async function startCommands({ endpoint }: TestEngine, tenant: string, suppliers: readonly ProofSupplier[]) {
  const folder = await mkdtemp(join(tmpdir(), 'proof-'));
  const exported: string[] = [];
  let round = 0;
  const end = new AbortController();

  async function run(command: string, ...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runOps(endpoint, command, ...args, '--json');
    // 1: the command rejected some of the records.
    if (code !== 0 && code !== 1) throw new Error(`${command} ended with ${String(code)}: ${stdout}${stderr}`);
    return stdout;
  }

  async function importNames(): Promise<void> {
    const records = suppliers.flatMap(({ scope, invoiceIds }) =>
      invoiceIds.map((id) => ({ supplier_id: scope.supplierId, invoice_id: id, account_name: `Round ${round}` })),
    );
    const file = join(folder, `${round}.ndjson`);
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await run('import-invoices', file, '--tenant', tenant);
  }

  async function undoImport(): Promise<void> {
    const { entries } = JSON.parse(await run('audit', tenant, '--limit', '1')) as { entries: { id: string }[] };
    await run('undo', tenant, entries[0]!.id, '--reason', 'The proof');
  }

  async function exportNext(): Promise<void> {
    const cursor = ['--cursor-file', join(folder, 'cursor'), ...SINCE_YESTERDAY];
    const { declarations } = JSON.parse(await run('export-declarations', tenant, ...cursor)) as {
      declarations: ExportedDeclaration[];
    };
    exported.push(...declarations.map(({ invoice_id: id, revision }) => `${id}#${revision}`));
  }

  async function runUntilFinished(): Promise<void> {
    while (!end.signal.aborted) {
      round++;
      await importNames();
      await undoImport();
      await exportNext();
    }
  }

  const rounds = runUntilFinished();
  return {
    async finish() {
      end.abort();
      await rounds;
      await exportNext();
      return { exported, rounds: round };
    },
  };
}
