import { Presets, SingleBar } from 'cli-progress';

/**
 * Starts a progress display until it is stopped: on a terminal a bar, which disappears at the end. With `plainLineMs`,
 * the bar remains, and other streams receive a line in this interval. `format` has the syntax of cli-progress.
 */
export function startProgress(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
  format: string,
  total = 0,
  values: object = {},
  plainLineMs?: number,
): SingleBar {
  const plainLines = plainLineMs === undefined ? {} : { noTTYOutput: true, notTTYSchedule: plainLineMs };
  // Otherwise, an empty line would follow the last plain line.
  const clearOnComplete = plainLineMs === undefined || !stream.isTTY;
  const bar = new SingleBar(
    { stream, format, ...plainLines, clearOnComplete, gracefulExit: false },
    Presets.shades_classic,
  );
  bar.start(total, 0, values);
  return bar;
}
