import { Presets, SingleBar } from 'cli-progress';

/**
 * Starts a progress display until it is stopped: on a terminal a bar, which disappears at the end. With `plainLineMs`,
 * the bar remains, and other streams receive a line in this interval. `format` has the syntax of cli-progress.
 */
export function startProgress(
  stream: NodeJS.WritableStream,
  format: string,
  total = 0,
  values: object = {},
  plainLineMs?: number,
): SingleBar {
  const plainLines = plainLineMs === undefined ? {} : { noTTYOutput: true, notTTYSchedule: plainLineMs };
  const clearOnComplete = plainLineMs === undefined;
  const bar = new SingleBar(
    { stream, format, ...plainLines, clearOnComplete, gracefulExit: false },
    Presets.shades_classic,
  );
  bar.start(total, 0, values);
  return bar;
}
