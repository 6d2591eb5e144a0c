import { readOptions } from '../command-line.ts';
import { StartError } from '../local/start-error.ts';
import { print, printError } from '../terminal.ts';
import { openBridge } from './bridge.ts';

const usage = `Usage: npm run sam:bridge -- [--port N]

Lets containers reach the engine of npm start, on Linux, until Ctrl-C.

  --port N  the port of the engine (8000)

More: infra/sam/README.md`;

const port = readOptions(usage, { port: { type: 'string', default: '8000' } }, (values) => {
  if (!/^[1-9]\d{0,4}$/.test(values.port) || Number(values.port) > 65_535)
    throw new Error('--port takes a number from 1 to 65535.');
  return Number(values.port);
});
try {
  const { address } = await openBridge(port);
  print(`Containers reach port ${port} of this machine at ${address}. Ctrl-C ends it.`);
} catch (error) {
  printError(error instanceof StartError ? error.message : error);
  process.exit(1);
}
