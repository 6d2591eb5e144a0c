import { createApp } from './create-app.ts';

createApp().synth();
