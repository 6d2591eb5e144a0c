import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import { declareInNewStore } from '../data/declare-one.ts';
import { newId, seedAccount } from '../data/seed.ts';
import type { TestEngine } from '../engine/engine.ts';
import { runCli } from './run-ops.ts';

/** A record of an import, without the fields that all records of a test have. */
type ImportRecord = Readonly<Record<string, unknown>> & { readonly invoice_id: string };

/** A tenant with the supplier 10, and functions that run commands on it. */
export type OpsTenant = Awaited<ReturnType<typeof createOpsTenant>>;

/** Creates a tenant with the supplier 10, which has no invoices and no tolerance. */
export async function createOpsTenant(engine: TestEngine) {
  const tenant = `t${newId()}.example`;
  const { scope } = await seedAccount(engine, { tenant: { tenant }, supplier: { supplier_id: '10' } });
  const env = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint };

  /** Runs a command whose first argument is the tenant. */
  const run = (command: string, ...args: readonly string[]) => runCli([command, tenant, ...args, '--local'], { env });

  /** Runs a command with --json, and returns its document. */
  async function runJson<Document = Readonly<Record<string, unknown>>>(command: string, ...args: readonly string[]) {
    const { stdout } = await run(command, ...args, '--json');
    return JSON.parse(stdout) as Document;
  }

  /** Imports records or a decided sheet from standard input. */
  const runWithInput = (command: string, rows: readonly object[], options: readonly string[]) => {
    const input = rows.map((row) => `${JSON.stringify({ supplier_id: '10', ...row })}\n`).join('');
    const args = [
      command,
      '-',
      '--tenant',
      tenant,
      '--format',
      'ndjson',
      '--rejects',
      join(tmpdir(), `${newId()}.rejects`),
    ];
    return runCli([...args, ...options, '--local'], { env, input });
  };

  return {
    tenant,
    scope,
    run,
    runJson,
    /** Imports records, by default of invoices of 1000. */
    importRecords: (records: readonly ImportRecord[], ...options: readonly string[]) => {
      const rows = records.map((record) => ({ service_id: '5', system_amount: 1000, ...record }));
      return runWithInput('import-invoices', rows, options);
    },
    /** Applies the rows of a review sheet. */
    decide: (rows: readonly object[], ...options: readonly string[]) =>
      runWithInput('decide', rows, ['--reason', 'Reviewed', ...options]),
    declare: (
      invoiceId: string,
      amount: number,
      more: { readonly invoiceNumber?: string; readonly now?: Date } = {},
    ) => {
      const { now, ...fields } = more;
      return declareInNewStore(
        engine,
        scope,
        { invoiceId, amount, ...fields },
        now ? { now, userId: '7' } : { userId: '7' },
      );
    },
    /** Returns the id of the last command that wrote data of the tenant. */
    async readLastCommandId(): Promise<string> {
      const { entries } = await runJson<{ entries: OperatorEntry[] }>('audit', '--limit', '1');
      return entries[0]?.id ?? '';
    },
    /** Undoes a command. */
    undo: (commandId: string, ...options: readonly string[]) =>
      run('undo', commandId, '--reason', 'A mistake', ...options),
  };
}
