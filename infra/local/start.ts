import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { banner } from './banner.ts';
import { startService } from './service.ts';
import type { ServiceOptions } from './service.ts';
import { StartError } from './start-error.ts';
import { print, printError } from '../terminal.ts';

const usage = 'Usage: npm start -- [--port N] [--dynamodb-port N] [--data DIR] [--empty] [--quiet]';

// Every function has a thread, and hundreds of megabytes of garbage may gather in each before V8 looks through all of
// it: by default a heap may first grow to a multiple of what lives in it. Sizes in megabytes.
setFlagsFromString('--initial-old-space-size=32');
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--max-semi-space-size=4');

const options = readOptions();
try {
  const service = await startService(options);
  let closing: Promise<never> | undefined;
  const end = (code: number) => void (closing ??= service.close().then(() => process.exit(code)));
  // Under npm one Ctrl-C may arrive twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0));
  const endWithEngine = async () => {
    printError(await service.engineDied);
    end(1);
  };
  void endWithEngine();
  if (!options.quiet) print(banner(service));
  print(`Ready: ${service.url}`);
} catch (error) {
  printError(error instanceof StartError ? error.message : error);
  process.exit(1);
}

function readOptions(): ServiceOptions {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '3000' },
        'dynamodb-port': { type: 'string', default: '8000' },
        data: { type: 'string' },
        empty: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
      },
    });
    return {
      port: portNumber('--port', values.port),
      dynamodbPort: portNumber('--dynamodb-port', values['dynamodb-port']),
      dataDirectory: values.data,
      demo: !values.empty,
      quiet: values.quiet,
    };
  } catch (error) {
    printError(`${(error as Error).message.split('\n')[0]} ${usage}`);
    process.exit(2);
  }
}

function portNumber(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${option} takes a number from 0 to 65535.`);
  return Number(text);
}
