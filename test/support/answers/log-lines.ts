import type { LogLine } from './embedded-metrics.ts';

/** The log lines in what a function has written so far. */
export function logLinesIn(output: string): LogLine[] {
  // What follows the last line break is still being written.
  const whole = output.split('\n').slice(0, -1);
  return whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
}
