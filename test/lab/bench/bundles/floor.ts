import { fileURLToPath } from 'node:url';
import { bundle } from './esbuild.ts';
import type { FunctionName } from './service.ts';

/** The commands of the document client that each function sends. */
const commandsOf: Readonly<Record<FunctionName, string>> = {
  login: 'BatchGet Get Update',
  'list-invoices': 'BatchGet Query Update',
  'get-invoice': 'BatchGet Get Query Update',
  'validate-amount': 'BatchGet Get Query Update',
  'declare-invoice': 'BatchGet Query TransactWrite Update',
  'declare-batch': 'BatchGet Query TransactWrite Update',
  'legacy-dispatch': 'BatchGet Get Query TransactWrite Update',
  'rotate-signing-key': 'Query TransactWrite',
};

/** The floor of a function's start: a document client with the function's commands and nothing else. */
export async function floorOf(name: FunctionName): Promise<string> {
  const commands = commandsOf[name].split(' ');
  const imports = ['DynamoDBDocumentClient', ...commands.map((command) => `${command}Command`)];
  const contents = `
    import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
    import { ${imports.join(', ')} } from '@aws-sdk/lib-dynamodb';
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
    export const handler = (command, input) => client.send(new command(input));
    export const commands = [${imports.slice(1).join(', ')}];
  `;
  const resolveDir = fileURLToPath(new URL('.', import.meta.url));
  return bundle(`floor-${commands.join('-')}`, { stdin: { contents, resolveDir, loader: 'js' } });
}
