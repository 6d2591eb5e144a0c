import { InvalidArgumentError } from '@commander-js/extra-typings';
import { compareTables, type CopyOptions, type CopyProgress, copyTable } from '../../../lib/admin/tables/copy-table.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, EXIT, type ExitCode, runCommand, type Session, stopSignal } from '../command.ts';
import { readTransform } from './read-transform.ts';
import { type TablesToCopy, tablesToCopy } from './tables-to-copy.ts';

const REPORT_EVERY = 10_000;

/** `copy-table`: brings the items of a frozen table into the one that is to replace it, and compares both. */
export const copyTableCommand = defineCommand('copy-table', {
  summary: 'Copy a frozen table into the one that is to replace it, and compare both; it can be run again.',
  example: 'copy-table Invoices Invoices2 --transform new-keys.ts --stack SupplierPortalInvoices-prod',
})
  .argument('<from>', 'the table that is replaced: its name, or that of its output without `Table`')
  .argument('<to>', 'the one that replaces it; the service does not work on it yet')
  .option('--transform <file>', 'a module whose default export makes the new items of an old one')
  .option('--segments <number>', 'how many parts of the table are copied side by side', partCount, 8)
  .addOption(dryRunOption)
  .action((from, to, { transform, segments, ...options }) =>
    runCommand(options, async (session) => {
      const tables = await tablesToCopy(session, from, to);
      let reported = 0;
      return copyAndCompare(session, tables, {
        transform: await readTransform(transform),
        segments,
        nowSeconds: Math.floor(systemClock.now().getTime() / 1000),
        signal: stopSignal(session.host),
        onProgress({ copied, same }) {
          if (copied + same < reported + REPORT_EVERY) return;
          reported = copied + same;
          session.output.line(`${copied} copied, ${same} were there`);
        },
      });
    }),
  );

async function copyAndCompare(
  { output, dryRun }: Session,
  { from, to }: TablesToCopy,
  options: CopyOptions,
): Promise<ExitCode> {
  const nothing: CopyProgress = { copied: 0, same: 0, different: [] };
  const { copied, same, different } = dryRun ? nothing : await copyTable(from, to, options);
  if (!dryRun) output.line(`${copied} copied, ${same} were there`);
  for (const key of different) output.fault(`An item is there already, and differs: ${key}`);
  const { wanted, found, equal } = await compareTables(from, to, options);
  const { aborted: interrupted } = options.signal;
  output.document({ copied, same, different, wanted, found, equal: equal && !interrupted, interrupted });
  if (interrupted) {
    output.line('Interrupted: run it again.');
    return EXIT.interrupted;
  }
  output.table(
    ['', 'Items', 'Fingerprint'],
    [
      ['Wanted', String(wanted.items), wanted.fingerprint],
      ['Found', String(found.items), found.fingerprint],
    ],
  );
  output.line(equal ? 'The tables are equal.' : 'The tables differ.');
  return equal ? EXIT.done : EXIT.rejected;
}

function partCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 64)
    throw new InvalidArgumentError('It is a number from 1 to 64.');
  return count;
}
