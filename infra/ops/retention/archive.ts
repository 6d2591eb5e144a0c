import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { toMonth } from '../../../lib/domain/list-entry.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { PARALLEL_TRANSACTIONS } from '../../../lib/tables/invoice-transaction.ts';
import { parseInvoiceSortKey } from '../../../lib/tables/keys.ts';
import {
  defineCommand,
  dryRunOption,
  EXIT,
  type ExitCode,
  matching,
  runCommand,
  type Session,
  stopSignal,
  yesOption,
} from '../command.ts';
import { lockFile } from '../../process/lock-file.ts';
import { findSuppliers, readTenant } from '../directory/read-directory.ts';
import { describeSystemError, OperatorError, OutputError } from '../operator-errors.ts';
import { startProgress } from '../../../lib/terminal/progress.ts';
import { MONTH } from '../review/list-invoices.ts';
import { keysIn } from '../tables/directory-records.ts';
import type { InvoiceRecord } from '../tables/invoice-records.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import {
  type ArchivedMonth,
  type Manifest,
  MANIFEST,
  readManifest,
  readMonth,
  writeManifest,
  writeMonth,
} from './archive-files.ts';

/** An archive that a command processes until `stop`. */
interface Archive extends Pick<Manifest, 'tenant' | 'files'> {
  readonly folder: string;
  readonly stop: AbortSignal;
}

export const archiveCommand = defineCommand('archive', {
  summary:
    'Move the invoices of old months to files, if all invoices of the month are settled or withdrawn. They are deleted ' +
    'after the files were verified. restore-archive undoes this.',
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
      requireAge(before, keepMonths);
      await readTenant(session.ports, tenant);
      const effect = 'Their settled and withdrawn invoices are deleted. To undo this, run restore-archive.';
      await session.confirm(async () => `Archive the months of ${tenant} before ${before} to ${folder}? ${effect}`);
      if (session.dryRun) return archive(session, { tenant, before, folder });
      const releaseFolder = await lockFolder(folder);
      try {
        return await archive(session, { tenant, before, folder });
      } finally {
        releaseFolder();
      }
    }),
  );

/** Writes the files of an archive, unless an earlier run has written them, verifies them, and deletes the invoices. */
async function archive(
  session: Session,
  { tenant, before, folder }: Pick<Manifest, 'tenant' | 'before'> & Pick<Archive, 'folder'>,
): Promise<ExitCode> {
  const { ports, output, host, dryRun } = session;
  const manifest = await readManifest(folder);
  if (manifest && (manifest.tenant !== tenant || manifest.before !== before)) {
    const content = `${manifest.tenant} before ${manifest.before}`;
    throw new OperatorError(`${folder} contains another archive (${content}). Pass another folder with --to.`);
  }
  const stop = stopSignal(host);
  const months = manifest ? null : await findMonths(session, tenant, before);
  const files = [...(manifest?.files ?? [])];
  for (const month of months?.closed ?? []) {
    if (!stop.aborted) files.push(await writeMonth(ports, month, dryRun ? null : folder));
  }
  let changed = 0;
  if (!dryRun && !stop.aborted) {
    if (!manifest) {
      await writeManifest(folder, { tenant, before, created_at: systemClock.now().toISOString(), files });
    }
    // All files are read back before anything is deleted.
    for (const file of files) await readMonth(folder, file);
    if (files.length > 0) await markArchived(session, tenant, before);
    await forEachRecord(session, { tenant, folder, files, stop }, async (scope, record, shard) => {
      if ((await ports.invoiceRecords.remove(scope, record, shard)) !== 'changed') return;
      changed += 1;
      const { invoiceId } = parseInvoiceSortKey(record.invoice.sk);
      output.error(`left  invoice ${invoiceId} of supplier ${scope.supplierId}: it changed after it was archived`);
    });
  }
  const sum = (field: 'invoices' | 'system_amount' | 'declared_amount') =>
    files.reduce((total, file) => total.plus(file[field]), decimal(0)).toFixed();
  const totals = `${sum('invoices')} invoices (system ${sum('system_amount')}, declared ${sum('declared_amount')})`;
  const openMonths = months?.open ?? [];
  if (openMonths.length > 0) {
    output.line(`Not archived, because an invoice is neither settled nor withdrawn: ${openMonths.join(', ')}`);
  }
  output.line(stop.aborted ? translate(opsTexts.interrupted) : `Archived: ${totals} in ${files.length} files`);
  output.document({ tenant, before, files, open_months: openMonths, changed, interrupted: stop.aborted });
  if (stop.aborted) return EXIT.interrupted;
  return changed > 0 ? EXIT.rejected : EXIT.done;
}

export const restoreArchiveCommand = defineCommand('restore-archive', {
  summary: 'Write the invoices of an archive back, with their histories. Invoices that already exist do not change.',
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
      for (const file of files) await readMonth(folder, file);
      const stop = stopSignal(host);
      const counts = { restored: 0, existing: 0 };
      await forEachRecord(session, { tenant, folder, files, stop }, async (scope, record, shard) => {
        counts[(await ports.invoiceRecords.restore(scope, record, shard)) ? 'restored' : 'existing'] += 1;
      });
      output.line(`Restored: ${counts.restored} invoices. Unchanged, because they exist: ${counts.existing}`);
      if (stop.aborted) output.line(translate(opsTexts.interrupted));
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

/**
 * Creates the folder of an archive, and locks it. Otherwise, another run could replace a file after its invoices were
 * deleted. Throws an OutputError on failure, or if the folder is locked.
 */
async function lockFolder(folder: string): Promise<() => void> {
  let release: (() => void) | null;
  try {
    // With the option `recursive`, Node hangs if no parent can be created, as in /proc.
    if (!existsSync(folder)) await mkdir(folder);
    release = lockFile(join(folder, 'archive.lock'));
  } catch (error) {
    throw new OutputError(`The folder ${folder} cannot be written: ${describeSystemError(error).en}`);
  }
  if (!release) throw new OutputError(`Another run of archive uses ${folder}. Wait until it ends.`);
  return release;
}

/** Finds the months before a month, by supplier. In an open month, an invoice is neither settled nor withdrawn. */
async function findMonths({ ports }: Session, tenant: string, before: string) {
  const invoices: { readonly supplierId: string; readonly month: string; readonly sk: string }[] = [];
  const openMonths = new Set<string>();
  for (const { supplierId } of await findSuppliers(ports, tenant)) {
    for await (const page of ports.invoiceRecords.list({ tenant, supplierId })) {
      for (const { sk, sort_date: sortDate, state_code: state } of page) {
        const month = toMonth(sortDate);
        if (month >= before) continue;
        invoices.push({ supplierId, month, sk });
        if (state !== 'LIQ' && !parseInvoiceSortKey(sk).isWithdrawn) openMonths.add(month);
      }
    }
  }
  const closedInvoices = invoices.filter(({ month }) => !openMonths.has(month));
  const groups = Map.groupBy(closedInvoices, ({ supplierId, month }) => `${supplierId} ${month}`);
  const closed = Array.from(groups.values(), (group): ArchivedMonth => {
    const [{ supplierId, month }] = group as [(typeof group)[number]];
    return { scope: { tenant, supplierId }, month, sortKeys: group.map(({ sk }) => sk) };
  });
  return { closed, open: [...openMonths].toSorted() };
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
  processRecord: (scope: SupplierScope, record: InvoiceRecord, shard: number) => Promise<void>,
): Promise<void> {
  const bar = startProgress(session.host.stderr, '{value} invoices');
  try {
    for (const file of files) {
      const scope = { tenant, supplierId: file.supplier_id };
      await forEachConcurrent(await readMonth(folder, file), PARALLEL_TRANSACTIONS, async (record, shard) => {
        if (stop.aborted) return;
        await processRecord(scope, record, shard);
        bar.increment();
      });
    }
  } finally {
    bar.stop();
  }
}
