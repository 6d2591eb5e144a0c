import { setFlagsFromString } from 'node:v8';
import { banner } from './banner.ts';
import { startService } from './service.ts';
import { StartError } from './start-error.ts';
import { readStartOptions } from './start-options.ts';
import { print, printError } from '../terminal.ts';

// Every function has a thread, and hundreds of megabytes of garbage may gather in each before V8 looks through all of
// it: by default a heap may first grow to a multiple of what lives in it. Sizes in megabytes.
setFlagsFromString('--initial-old-space-size=32');
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--max-semi-space-size=4');

try {
  const service = await startService(readStartOptions(process.stdout));
  let closing: Promise<never> | undefined;
  const end = (code: number) => void (closing ??= service.close().then(() => process.exit(code)));
  // Under npm one Ctrl-C may arrive twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0));
  const endWithEngine = async () => {
    printError(await service.engineDied);
    end(1);
  };
  void endWithEngine();
  print(banner(service));
  print(`Ready: ${service.url}`);
} catch (error) {
  printError(error instanceof StartError ? error.message : error);
  process.exit(1);
}
