import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Force } from '../../../lib/admin/import/protection.ts';
import { FORMATS, type WrittenOptions } from '../../../lib/admin/import/read-records.ts';
import { FIELDS } from '../../../lib/admin/import/record-schema.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { DECIMAL_SIGNS } from '../../../lib/spreadsheets/read-amount.ts';
import { SEPARATORS } from '../../../lib/spreadsheets/read-csv.ts';
import { toDecimal } from '../../../lib/domain/decimal-text.ts';
import type { Decimal } from '../../../lib/domain/money.ts';
import { defineCommand, dryRunOption, runCommand, type Session, stopSignal } from '../command.ts';
import { zoneOffset } from '../date-options.ts';
import { isSameFile } from '../out-file.ts';
import { readDocument } from '../directory/read-document.ts';
import { openInput } from './import-files.ts';
import { runImport } from './run-import.ts';
import { readText } from './set-state.ts';
import { spool } from './spool.ts';

const ENCODINGS = { 'utf-8': 'UTF-8', 'windows-1252': 'Windows-1252' } as const;
const namesOf = <Name extends string>(table: Readonly<Record<Name, string>>) => Object.keys(table) as Name[];

/** `import-invoices`: creates and updates invoices of a tenant from a file or from standard input. */
export const importInvoicesCommand = defineCommand('import-invoices', {
  summary: 'Import the invoices of a tenant from a file; it can be run again, and doubles nothing.',
  example: 'import-invoices infra/local/demo/invoices.ndjson --tenant demo.example --zone -03:00 --local',
})
  .argument('<file>', 'NDJSON, or CSV or .xlsx with a header; - is standard input')
  .requiredOption('--tenant <tenant>', 'whose invoices these are')
  .addOption(new Option('--format <format>', 'what is in the file, unless its name tells').choices(FORMATS))
  .option(
    '--map <file>',
    'which column of a CSV is which field, as lines of `field: heading`; other columns are left out',
  )
  .addOption(new Option('--separator <mark>', 'what a CSV has between columns').choices(namesOf(SEPARATORS)))
  .addOption(
    new Option('--decimal <sign>', 'what a CSV has before decimals: 1.050,00 or 1050.00').choices(DECIMAL_SIGNS),
  )
  .option('--day-first', 'dates of a CSV may have their day first: 24/08/2026')
  .addOption(new Option('--encoding <name>', 'how a CSV is encoded').choices(namesOf(ENCODINGS)))
  .option('--zone <offset>', 'the zone of dates and times without one, such as -03:00; without it UTC', zoneOffset)
  .option('--rejects <file>', 'where rejected records go, unless to FILE.rejected.ndjson')
  .option('--from-line <line>', 'go on with an interrupted import at this line', lineNumber, 1)
  .option('--expect-records <number>', 'import nothing unless the file has so many records', recordCount)
  .option(
    '--expect-total <amount>',
    'import nothing unless the system amounts of all records add up to this',
    totalAmount,
  )
  .option('--allow-zeros', 'accept ids of a supplier that differ only in leading zeros, such as 0080101 and 80101')
  .option(
    '--allow-repeated',
    'import several records of one invoice one after the other, as exported declarations need',
  )
  .option('--force', 'also change the amount of declared, approved and settled invoices, and the state of settled ones')
  .option('--reason <text>', 'why --force is used; the history of each invoice keeps it')
  .option('--by <who>', 'who uses --force, unless it is whoever runs the command')
  .addOption(dryRunOption)
  .addHelpText('after', '\nWhat is not told of a CSV or .xlsx is found out by its first 1000 records, and printed.')
  .action((file, { tenant, zone, fromLine, map, separator, encoding, decimal, dayFirst, ...options }) =>
    runCommand(options, async (session) => {
      const { expectRecords, expectTotal, allowZeros = false, allowRepeated = false } = options;
      const force = await readForce(options, session.operator);
      const stop = stopSignal(session.host);
      const input = await spool(await openInput(file, options, session.host.stdin), stop);
      try {
        const isTold = [map, separator, encoding, decimal, dayFirst].some((option) => option !== undefined);
        if (input.format === 'ndjson' && isTold) {
          throw new OperatorError('--map, --separator, --decimal, --day-first and --encoding belong to CSV.');
        }
        if (map !== undefined && (await isSameFile(map, input.rejectsPath))) {
          throw new OperatorError('--map names the file of the rejected records. Name another file with --rejects.');
        }
        const written: WrittenOptions = {
          map: map === undefined ? undefined : readColumnMap(await readDocument(map)),
          separator: separator && SEPARATORS[separator],
          encoding: encoding && ENCODINGS[encoding],
          decimal,
          dayFirst,
        };
        const wanted = {
          ...{
            tenant,
            zone,
            fromLine,
            written,
            force,
            allowsZeros: allowZeros,
            allowsRepeated: allowRepeated,
            showsProgress: !options.json,
          },
          expected: { records: expectRecords, total: expectTotal },
        };
        return await runImport(input, wanted, session, stop);
      } finally {
        await input.close();
      }
    }),
  );

/**
 * Reads what a file says of columns: `field: heading`, one for each field with a heading that is not its name. Throws
 * an OperatorError that names everything that is wrong with it.
 */
export function readColumnMap(document: unknown): NonNullable<WrittenOptions['map']> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new OperatorError('The map of columns is not a list of lines such as "invoice_id: My heading".');
  }
  const pairs = Object.entries(document);
  const faults = pairs.flatMap(([field, heading]) => {
    if (!FIELDS.includes(field)) return [`${field}: is not a field; the fields are ${FIELDS.join(', ')}`];
    const isHeading = typeof heading === 'string' && heading.trim() !== '';
    return isHeading ? [] : [`${field}: its heading must be a text, in quotes`];
  });
  if (pairs.length === 0) faults.push('it names no field');
  if (faults.length > 0) throw new OperatorError(['The map of columns cannot be used:', ...faults].join('\n  '));
  return pairs;
}

/** Reads who forces an import and why; throws an OperatorError if only a part of it is given. */
async function readForce(
  { force, reason, by }: { readonly force?: true; readonly reason?: string; readonly by?: string },
  operator: Session['operator'],
): Promise<Force | undefined> {
  if (!force) {
    if (reason === undefined && by === undefined) return undefined;
    throw new OperatorError('--reason and --by belong to --force. Pass --force, too, or leave them out.');
  }
  if (reason === undefined)
    throw new OperatorError('--force needs a reason, which the history keeps. Pass --reason TEXT.');
  return {
    reason: readText('--reason', reason),
    changedBy: by === undefined ? await operator() : readText('--by', by),
  };
}

function recordCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is a number of records, such as 120.');
  return Number(text);
}

function totalAmount(text: string): Decimal {
  if (!/^\d{1,30}(\.\d{1,20})?$/.test(text)) throw new InvalidArgumentError('It is an amount, such as 1050.25.');
  return toDecimal(text);
}

function lineNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a line number, from 1.');
  return Number(text);
}
