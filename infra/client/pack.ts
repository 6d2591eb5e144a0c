import { fileURLToPath } from 'node:url';
import { readOptions } from '../command-line.ts';
import { print, printError } from '../terminal.ts';
import { PackError, packClient } from './pack-client.ts';

readOptions(`Usage: npm run client:pack

Makes the package of the client that integrators install, in cdk.out/client, and prints its file.
More: lib/client/README.md`);

try {
  print(`Written: ${await packClient(fileURLToPath(new URL('../../cdk.out/client', import.meta.url)))}`);
} catch (error) {
  printError(error instanceof PackError ? error.message : error);
  process.exitCode = 1;
}
