import { Presets, SingleBar } from 'cli-progress';
import type { OutputStream } from '../../process/terminal.ts';

/** Starts a progress display, which only a terminal shows, until it is stopped. `format` has the syntax of cli-progress. */
export function startProgress(stream: OutputStream, format: string, total = 0, values: object = {}): SingleBar {
  const bar = new SingleBar({ stream, format, clearOnComplete: true, gracefulExit: false }, Presets.shades_classic);
  bar.start(total, 0, values);
  return bar;
}
