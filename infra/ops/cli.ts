import { printError, print } from '../local/terminal.ts';
import { applyCommand } from './apply/command.ts';
import type { Command } from './command.ts';
import { importInvoicesCommand } from './import/command.ts';
import { UsageError } from './usage-error.ts';

const commands: ReadonlyMap<string, Command> = new Map([
  ['apply', applyCommand],
  ['import-invoices', importInvoicesCommand],
]);

const usage = [
  'Usage: npm run ops -- COMMAND',
  '',
  ...[...commands].flatMap(([name, command]) => [`  ${name} ${command.usage}`, `      ${command.summary}`]),
  '',
  'Targets: --local is the engine of the local gateway (at AWS_ENDPOINT_URL_DYNAMODB or http://127.0.0.1:8000),',
  '--stack NAME a deployed stack. Exit codes: 0 done, 1 some entries or records were rejected, 2 wrong use.',
].join('\n');

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<0 | 1 | 2> {
  if (args.includes('--help')) {
    print(usage);
    return 0;
  }
  const [name = '', ...rest] = args;
  const command = commands.get(name);
  try {
    if (!command) throw new UsageError(name ? `There is no command ${name}; --help lists them.` : usage);
    return await command.run(rest);
  } catch (error) {
    printError(error instanceof UsageError ? error.message : error);
    return 2;
  }
}
