import { Presets, SingleBar } from 'cli-progress';

/** Starts a progress bar on a terminal. It disappears when it is stopped. `format` has the syntax of cli-progress. */
export function startProgress(
  stream: NodeJS.WritableStream,
  format: string,
  total = 0,
  values: object = {},
): SingleBar {
  const bar = new SingleBar({ stream, format, clearOnComplete: true, gracefulExit: false }, Presets.shades_classic);
  bar.start(total, 0, values);
  return bar;
}
