import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { FORMATS, type WrittenOptions } from '../../../lib/admin/import/read-records.ts';
import { FIELDS } from '../../../lib/admin/import/record-schema.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { DECIMAL_SIGNS } from '../../../lib/spreadsheets/read-amount.ts';
import { SEPARATORS } from '../../../lib/spreadsheets/read-csv.ts';
import { defineCommand, dryRunOption, runCommand } from '../command.ts';
import { zoneOffset } from '../date-options.ts';
import { isSameFile } from '../out-file.ts';
import { readDocument } from '../directory/read-document.ts';
import { openInput } from './import-files.ts';
import { runImport } from './run-import.ts';

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
  .addOption(dryRunOption)
  .addHelpText('after', '\nWhat is not told of a CSV or .xlsx is found out by its first 1000 records, and printed.')
  .action((file, { tenant, zone, fromLine, map, separator, encoding, decimal, dayFirst, ...options }) =>
    runCommand(options, async (session) => {
      const input = await openInput(file, options, session.host.stdin);
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
        return await runImport(input, { tenant, zone, fromLine, written, showsProgress: !options.json }, session);
      } finally {
        input.stream.destroy();
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

function lineNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a line number, from 1.');
  return Number(text);
}
