/** npm run client:pack: makes the package of the client that integrators install, in cdk.out/client. */
import { fileURLToPath } from 'node:url';
import { print, printError } from '../terminal.ts';
import { PackError, packClient } from './pack-client.ts';

try {
  print(`Written: ${await packClient(fileURLToPath(new URL('../../cdk.out/client', import.meta.url)))}`);
} catch (error) {
  printError(error instanceof PackError ? error.message : error);
  process.exitCode = 1;
}
