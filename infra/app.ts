import { argv } from 'node:process';
import { createApp } from './stack.ts';
import { exitWithError } from './process/terminal.ts';

try {
  // infra/local/synthesize.ts passes the options of dev as JSON. The CDK passes no argument: infra/stages.ts has them.
  const devOptions = argv[2];
  const stageOptions = devOptions === undefined ? undefined : { dev: JSON.parse(devOptions) };
  createApp(stageOptions).synth();
} catch (error) {
  exitWithError(error);
}
