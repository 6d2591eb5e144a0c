import { createApp } from './stack.ts';
import { exitWithError } from './process/terminal.ts';

try {
  createApp().synth();
} catch (error) {
  exitWithError(error);
}
