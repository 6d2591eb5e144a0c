import { fileURLToPath } from 'node:url';
import { readOptions } from '../../command-line.ts';
import { endWith, print } from '../../terminal.ts';
import { packClient } from './pack-client.ts';

readOptions(`Usage: npm run client:pack

Builds the package of the client for integrators in cdk.out/client, and prints its file name.
More: lib/client/README.md`);

try {
  print(`Written: ${await packClient(fileURLToPath(new URL('../../cdk.out/client', import.meta.url)))}`);
} catch (error) {
  endWith(error);
}
