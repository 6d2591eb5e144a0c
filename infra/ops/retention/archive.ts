import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { Option } from '@commander-js/extra-typings';
import { toMonth } from '../../../lib/domain/list-entry.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { splitIntoChunks } from '../../../lib/runtime/pages.ts';
import { toInvoice } from '../../../lib/tables/invoice-items.ts';
import { PARALLEL_TRANSACTIONS } from '../../../lib/tables/invoice-transaction.ts';
import { parseInvoiceSortKey } from '../../../lib/tables/keys.ts';
import {
  defineCommand,
  dryRunOption,
  EXIT,
  matching,
  runCommand,
  type Session,
  stopSignal,
  yesOption,
} from '../command.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import { describeSystemError, OperatorError, OutputError } from '../operator-errors.ts';
import { openOutFile, replaceFile } from '../output/out-file.ts';
import { MONTH } from '../review/list-invoices.ts';
import { keysIn } from '../tables/directory-records.ts';
import type { InvoiceRecord } from '../tables/invoice-records.ts';
import { CHUNK_INVOICES, INTERRUPTED, startProgress } from './erase.ts';

/** A file with the invoices of a supplier and a month, one in each line. Amounts are sums as decimal texts. */
interface ArchiveFile extends Readonly<Record<'invoices' | 'declarations' | 'state_changes', number>> {
  readonly file: string;
  readonly supplier_id: string;
  readonly month: string;
  readonly system_amount: string;
  readonly declared_amount: string;
  readonly sha256: string;
}

/** The contents of manifest.json. It is written after all other files of an archive. */
interface Manifest extends Readonly<Record<'tenant' | 'before' | 'created_at', string>> {
  readonly files: readonly ArchiveFile[];
}

/** An archive that a command processes until `stop`. */
interface Archive extends Pick<Manifest, 'tenant' | 'files'> {
  readonly folder: string;
  readonly stop: AbortSignal;
}

export const archiveCommand = defineCommand('archive', {
  summary:
    'Move the invoices of old months, in which all are settled or withdrawn, to files. They are deleted after the files ' +
    'were written and verified. restore-archive undoes this.',
  example: 'archive demo.example --before 2016-01 --to archive-2015 --local',
})
  .argument('<tenant>', 'tenant of the invoices')
  .requiredOption('--before <month>', 'archive the months before this one', matching(MONTH, 'a month, such as 2016-01'))
  .requiredOption('--to <folder>', 'folder of the files; to continue an interrupted run, pass the same folder')
  .addOption(
    new Option('--keep-months <number>', 'reject --before if it is more recent than this number of months')
      .default(120)
      .argParser((text) => Number(matching(/^\d{1,4}$/, 'a number of months')(text))),
  )
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, { before, to: folder, keepMonths, ...options }) =>
    runCommand(options, async (session) => {
      const { ports, output, host, dryRun, confirm } = session;
      requireAge(before, keepMonths);
      const existing = await readManifest(folder);
      if (existing && (existing.tenant !== tenant || existing.before !== before)) {
        const content = `${existing.tenant} before ${existing.before}`;
        throw new OperatorError(`${folder} contains another archive (${content}). Pass another folder with --to.`);
      }
      const effect = 'Its settled invoices are deleted from the tables. To undo this, run restore-archive.';
      await confirm(async () => `Archive the months of ${tenant} before ${before} to ${folder}? ${effect}`);

      const stop = stopSignal(host);
      const written = existing ? null : await writeFiles(session, { tenant, before, folder, stop });
      const files = existing?.files ?? written?.files ?? [];
      const openMonths = written?.openMonths ?? [];
      const counts = { removed: 0, absent: 0, changed: 0 };
      if (!dryRun && !stop.aborted) {
        if (!existing) {
          const manifest: Manifest = { tenant, before, created_at: systemClock.now().toISOString(), files };
          await replaceFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
        }
        // All files are read back before anything is deleted.
        for (const file of files) await readRecords(folder, file);
        if (files.length > 0) await markArchived(session, tenant, before);
        await forEachRecord(session, { tenant, folder, files, stop }, async (scope, record, shard) => {
          const result = await ports.invoiceRecords.remove(scope, record, shard);
          counts[result] += 1;
          const { invoiceId } = parseInvoiceSortKey(record.invoice.sk);
          const left = `left  invoice ${invoiceId} of supplier ${scope.supplierId}: it changed after it was archived`;
          if (result === 'changed') output.error(left);
        });
      }
      const sum = (field: 'invoices' | 'system_amount' | 'declared_amount') =>
        files.reduce((total, file) => total.plus(file[field]), decimal(0)).toFixed();
      const totals = `${sum('invoices')} invoices (system ${sum('system_amount')}, declared ${sum('declared_amount')})`;
      if (openMonths.length > 0) output.line(`Left, because an invoice is not settled: ${openMonths.join(', ')}`);
      output.line(stop.aborted ? INTERRUPTED : `Archived: ${totals} in ${files.length} files`);
      const { changed } = counts;
      output.document({ tenant, before, files, open_months: openMonths, changed, interrupted: stop.aborted });
      if (stop.aborted) return EXIT.interrupted;
      return changed > 0 ? EXIT.rejected : EXIT.done;
    }),
  );

export const restoreArchiveCommand = defineCommand('restore-archive', {
  summary: 'Write the invoices of an archive back, with their histories. Invoices that exist do not change.',
  example: 'restore-archive archive-2015 --tenant demo.example --local',
})
  .argument('<folder>', 'folder that archive has written')
  .requiredOption('--tenant <tenant>', 'tenant of the archive')
  .addOption(dryRunOption)
  .action((folder, { tenant, ...options }) =>
    runCommand(options, async (session) => {
      const { ports, output, host } = session;
      const manifest = await readManifest(folder);
      if (!manifest) throw new OperatorError(`${folder} is not an archive: it contains no ${MANIFEST}.`);
      const { tenant: owner, files } = manifest;
      if (owner !== tenant) throw new OperatorError(`The archive is of ${owner}, not of ${tenant}.`);
      const supplierIds = files.map(({ supplier_id: id }) => id);
      // Throws an error if a supplier was erased.
      await findSuppliers(ports, tenant, supplierIds);
      for (const file of files) await readRecords(folder, file);
      const stop = stopSignal(host);
      const counts = { restored: 0, existing: 0 };
      await forEachRecord(session, { tenant, folder, files, stop }, async (scope, record, shard) => {
        counts[(await ports.invoiceRecords.restore(scope, record, shard)) ? 'restored' : 'existing'] += 1;
      });
      output.line(`Restored: ${counts.restored} invoices. Unchanged, because they exist: ${counts.existing}`);
      if (stop.aborted) output.line(INTERRUPTED);
      output.document({ tenant, ...counts, interrupted: stop.aborted });
      return stop.aborted ? EXIT.interrupted : EXIT.done;
    }),
  );

/** Throws an OperatorError if months before a month are to be kept. */
function requireAge(before: string, keepMonths: number): void {
  const now = systemClock.now();
  const limit = toMonth(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keepMonths, 1)).toISOString());
  if (before <= limit) return;
  const advice = `Pass --before ${limit} or an earlier month, or --keep-months.`;
  throw new OperatorError(`--before ${before} is within the last ${keepMonths} months. ${advice}`);
}

/** Writes the invoices of all months before a month to files, except for months with an invoice that is not settled. */
async function writeFiles(
  { ports, dryRun }: Session,
  { tenant, before, folder, stop }: Pick<Archive, 'tenant' | 'folder' | 'stop'> & Pick<Manifest, 'before'>,
) {
  const openMonths = new Set<string>();
  const keys: { readonly supplierId: string; readonly month: string; readonly sk: string }[] = [];
  for (const { supplierId } of await findSuppliers(ports, tenant)) {
    for await (const page of ports.invoiceRecords.list({ tenant, supplierId })) {
      for (const { sk, sort_date: sortDate, state_code: state } of page) {
        const month = toMonth(sortDate);
        if (month >= before) continue;
        keys.push({ supplierId, month, sk });
        if (state !== 'LIQ' && !parseInvoiceSortKey(sk).isWithdrawn) openMonths.add(month);
      }
    }
  }
  const closedKeys = keys.filter(({ month }) => !openMonths.has(month));
  if (!dryRun) await mkdir(folder, { recursive: true });
  const files: ArchiveFile[] = [];
  for (const [file, fileKeys] of Map.groupBy(closedKeys, (key) => `${key.supplierId}-${key.month}.ndjson`)) {
    if (stop.aborted) break;
    const [{ supplierId, month }] = fileKeys as [(typeof keys)[number]];
    const outFile = dryRun ? null : await openOutFile(join(folder, file));
    const hash = createHash('sha256');
    const counts = { invoices: 0, declarations: 0, state_changes: 0 };
    let [systemAmount, declaredAmount] = [decimal(0), decimal(0)];
    try {
      for (const chunk of splitIntoChunks(fileKeys, CHUNK_INVOICES)) {
        const sortKeys = chunk.map(({ sk }) => sk);
        for (const record of await ports.invoiceRecords.read({ tenant, supplierId }, sortKeys)) {
          const invoice = toInvoice(record.invoice);
          // The state has changed since the invoice was listed.
          if (invoice.state !== 'LIQ' && !invoice.isWithdrawn) continue;
          counts.invoices += 1;
          counts.declarations += record.declarations.length;
          counts.state_changes += record.state_changes.length;
          systemAmount = systemAmount.plus(invoice.systemAmount);
          declaredAmount = declaredAmount.plus(invoice.declaration?.amount ?? 0);
          const line = `${JSON.stringify(record, toRawNumber)}\n`;
          hash.update(line);
          outFile?.stream.write(line);
        }
        await outFile?.canContinue();
      }
      await outFile?.complete();
    } finally {
      await outFile?.discard();
    }
    const amounts = { system_amount: systemAmount.toFixed(), declared_amount: declaredAmount.toFixed() };
    files.push({ file, supplier_id: supplierId, month, ...counts, ...amounts, sha256: hash.digest('hex') });
  }
  return { files, openMonths: [...openMonths].toSorted() };
}

// Numbers are written with all digits. The types of TypeScript do not contain these two functions yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
const toRawNumber = (_: string, value: unknown) => (value instanceof NumberValue ? rawJSON(value.toString()) : value);
const fromRawNumber = (_: string, value: unknown, { source }: { source: string }) =>
  typeof value === 'number' ? NumberValue.from(source) : value;

const MANIFEST = 'manifest.json';

/** Reads the manifest of an archive. Returns null if the folder contains none. */
async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`The file ${join(folder, MANIFEST)} cannot be read: ${describeSystemError(error)}`);
  }
}

/** Reads the invoices of a file. Throws an OutputError if the file is not as the manifest describes it. */
async function readRecords(folder: string, { file, sha256 }: ArchiveFile): Promise<InvoiceRecord[]> {
  const data = await readFile(join(folder, file)).catch((error: Error) => error);
  if (data instanceof Error || createHash('sha256').update(data).digest('hex') !== sha256) {
    const reason = data instanceof Error ? describeSystemError(data) : 'its SHA-256 is not that of the manifest';
    throw new OutputError(`Nothing was changed: the file ${join(folder, file)} is damaged: ${reason}.`);
  }
  const parse = JSON.parse as (text: string, reviver: typeof fromRawNumber) => InvoiceRecord;
  return String(data)
    .split('\n')
    .slice(0, -1)
    .map((line) => parse(line, fromRawNumber));
}

/** Makes `import-invoices` reject new invoices before a month. */
async function markArchived({ ports }: Session, tenant: string, before: string): Promise<void> {
  const key = keysIn(tenant).archive;
  const [stored = null] = await ports.records.read([key]);
  if (stored && stored.before >= before) return;
  const isWritten = await ports.records.commit([
    { key, before: stored && { before: stored.before }, after: { before } },
  ]);
  if (!isWritten) throw new Error('Another archive of the tenant is being written. Run the command again.');
}

/** Processes the invoices of all files until `stop`, and shows the progress. */
async function forEachRecord(
  session: Session,
  { tenant, files, folder, stop }: Archive,
  processRecord: (scope: { tenant: string; supplierId: string }, record: InvoiceRecord, shard: number) => Promise<void>,
): Promise<void> {
  const bar = startProgress(session, 'invoices');
  try {
    for (const file of files) {
      const scope = { tenant, supplierId: file.supplier_id };
      await forEachConcurrent(await readRecords(folder, file), PARALLEL_TRANSACTIONS, async (record, shard) => {
        if (stop.aborted) return;
        await processRecord(scope, record, shard);
        bar.increment();
      });
    }
  } finally {
    bar.stop();
  }
}
