import { createApp } from './stack.ts';
import { endWith } from './process/terminal.ts';

try {
  createApp().synth();
} catch (error) {
  endWith(error);
}
