import { argv } from 'node:process';
import { createApp } from './stack.ts';
import { exitWithError } from './process/terminal.ts';

try {
  // The local service and the tests do not depend on the options of a deployment.
  createApp(argv.includes('--without-stage-options') ? { stageOptions: {} } : {}).synth();
} catch (error) {
  exitWithError(error);
}
