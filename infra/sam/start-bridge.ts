import { parseArgs } from 'node:util';
import { StartError } from '../local/start-error.ts';
import { print, printError } from '../terminal.ts';
import { openBridge } from './bridge.ts';

const usage = 'Usage: npm run sam:bridge -- [--port N]';

const port = readPort();
try {
  const { address } = await openBridge(port);
  print(`Containers reach port ${port} of this machine at ${address}. Ctrl-C ends it.`);
} catch (error) {
  printError(error instanceof StartError ? error.message : error);
  process.exit(1);
}

function readPort(): number {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string', default: '8000' } } });
    if (!/^[1-9]\d{0,4}$/.test(values.port) || Number(values.port) > 65_535)
      throw new Error('--port takes a number from 1 to 65535.');
    return Number(values.port);
  } catch (error) {
    printError(`${(error as Error).message.split('\n')[0]} ${usage}`);
    process.exit(2);
  }
}
