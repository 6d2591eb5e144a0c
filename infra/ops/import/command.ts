import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { print, printError } from '../../local/terminal.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import type { Command } from '../command.ts';
import { readArguments } from '../read-arguments.ts';
import { openTarget, targetOptions } from '../target.ts';
import { UsageError } from '../usage-error.ts';
import { type ImportCounts, importInvoices } from './import-invoices.ts';
import { type Format, FORMATS, readRecords } from './read-records.ts';
import { RejectsFile } from './rejects-file.ts';

const STDIN = '-';
const PROGRESS_MS = 1000;

/** `import-invoices`: creates and updates invoices of a tenant from a file or from standard input. */
export const importInvoicesCommand: Command = {
  usage: 'FILE --tenant T (--local | --stack NAME) [--format ndjson|csv] [--rejects FILE]',
  summary: 'Imports the invoices in FILE (NDJSON, or CSV with a header; -: standard input); can be run again.',
  async run(args) {
    const { file, values } = readArguments(args, {
      ...targetOptions,
      tenant: { type: 'string' },
      format: { type: 'string' },
      rejects: { type: 'string' },
    });
    const { tenant } = values;
    if (!tenant) throw new UsageError('Name the tenant: --tenant T.');
    const format = formatOf(file, values.format);
    const rejects = new RejectsFile(values.rejects ?? `${file === STDIN ? 'stdin' : file}.rejected.ndjson`);
    const input = await openInput(file);
    const { client, tables } = await openTarget(values);
    try {
      const counts = await importInvoices(
        client,
        { directory: tables.Directory, invoices: tables.Invoices, declarations: tables.Declarations },
        readRecords(input, format),
        {
          tenant,
          now: systemClock.now(),
          reject: (record, faults) => rejects.add(record, faults),
          progress: progressPrinter(),
        },
      );
      const { created, changed, unchanged, rejected } = counts;
      print(`${created} created, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected`);
      if (rejected > 0) print(`The rejected records and the reasons are in ${rejects.path}`);
      return rejected > 0 ? 1 : 0;
    } finally {
      await rejects.close();
      input.destroy();
      client.destroy();
    }
  },
};

function formatOf(file: string, named: string | undefined): Format {
  const byExtension: Readonly<Record<string, Format>> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };
  const format = named ?? (file === STDIN ? 'ndjson' : byExtension[extname(file).toLowerCase()]);
  const known = FORMATS.find((it) => it === format);
  if (!known) throw new UsageError(`Name the format: --format ${FORMATS.join(' or ')}.`);
  return known;
}

async function openInput(file: string): Promise<Readable> {
  if (file === STDIN) return process.stdin;
  try {
    const handle = await open(file);
    if ((await handle.stat()).isDirectory()) throw new Error('it is a directory');
    return handle.createReadStream();
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
}

function progressPrinter(): (counts: Readonly<ImportCounts>) => void {
  let printedMs = Number.NEGATIVE_INFINITY;
  return (counts) => {
    if (performance.now() - printedMs < PROGRESS_MS) return;
    printedMs = performance.now();
    printError(`${Object.values(counts).reduce((sum, count) => sum + count, 0)} records so far`);
  };
}
