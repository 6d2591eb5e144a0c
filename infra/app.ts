import { createApp } from './stack.ts';
import { endWith } from './terminal.ts';

try {
  createApp().synth();
} catch (error) {
  endWith(error);
}
