import { createApp } from './create-app.ts';
import { OptionError } from './option-names.ts';

try {
  createApp().synth();
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
