import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { isConfidential } from '../../index.ts';
import { columns, requiredColumns } from './columns.ts';

const notes = `
The API key and the password are taken from PORTAL_API_KEY and PORTAL_PASSWORD; on a terminal, what is missing is asked
for.

The file is in UTF-8, separated by commas or semicolons. An empty cell leaves as it is what was declared before.
Amounts have a decimal point or, between semicolons, a decimal comma too, and no thousands separators; 1.050 is refused,
for it may be 1050 or 1.05.

Running the same file again does no harm: an invoice that was declared is declared again, with the same amount.

Exit codes: 0 nothing was rejected or is unknown; 1 something was or is, the file has faults, the service failed, or the
report could not be written; 2 wrong use, nothing sent; 130 interrupted.`;

/** The command line of the script. */
export const program = new Command('npm run declare-csv --')
  .description('Declares the invoices of a CSV: checks every amount first, and says what became of each.')
  .argument(
    '<file>',
    `${Object.keys(columns).join(', ')}: the first line names them; ${requiredColumns.join(' and ')} are required`,
  )
  .option('--url <url>', 'the address of the service', webAddress, 'http://127.0.0.1:3000')
  .requiredOption('--tenant <tenant>', 'the tenant assigned to you')
  .requiredOption('--email <email>', 'who declares')
  .option('--check', 'write nothing, and only say what would happen')
  .option('--hold-review', 'declare only what would be approved automatically')
  .option('--report <file>', 'a CSV to write, with what became of every line')
  .addHelpText('after', notes)
  .showHelpAfterError('(--help shows how)')
  .exitOverride();

/** What the command line says. */
export type Options = ReturnType<typeof program.opts>;

function webAddress(text: string): string {
  if (!isConfidential(text))
    throw new InvalidArgumentError('It must begin with https://; http:// is for this machine only.');
  return text;
}
