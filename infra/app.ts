import { argv } from 'node:process';
import { createApp } from './stack.ts';
import { exitWithError } from './process/terminal.ts';

try {
  // The local service and the tests pass the options of dev as JSON, because they do not depend on infra/stages.ts.
  const devOptions = argv[2];
  const stageOptions = devOptions === undefined ? undefined : { dev: JSON.parse(devOptions) };
  createApp(stageOptions).synth();
} catch (error) {
  exitWithError(error);
}
