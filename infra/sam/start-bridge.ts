import { readOptions } from '../command-line.ts';
import { parsePort } from '../local/ports.ts';
import { endWith, print } from '../terminal.ts';
import { openBridge } from './bridge.ts';

const usage = `Usage: npm run sam:bridge -- [--port N]

Lets containers reach the engine of npm start, on Linux, until Ctrl-C.

  --port N  the port of the engine (8000)

More: infra/sam/README.md`;

const port = readOptions(usage, { port: { type: 'string', default: '8000' } }, (values) =>
  parsePort('--port', values.port),
);
try {
  const { address } = await openBridge(port);
  print(`Containers reach port ${port} of this machine at ${address}. Ctrl-C ends it.`);
} catch (error) {
  endWith(error);
}
