import { expect } from 'vitest';
import { METRICS_NAMESPACE } from '../../../infra/config.ts';

/** A log line as it was written. */
export type LogLine = Readonly<Record<string, unknown>>;

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

/** The metrics that CloudWatch takes out of a log line, once it is certain that the line is one it takes. */
export function readMetrics(line: LogLine) {
  expect(line['_aws']).toEqual({ Timestamp: expect.any(Number), CloudWatchMetrics: expect.any(Array) });
  const { Timestamp, CloudWatchMetrics } = line['_aws'] as { Timestamp: number; CloudWatchMetrics: Directive[] };
  expect(Timestamp).toSatisfy(Number.isInteger);
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics, ...others }) => {
    expect([Namespace, others]).toEqual([METRICS_NAMESPACE, {}]);
    for (const { length } of [Dimensions, Metrics]) expect(length, JSON.stringify(line)).toBeGreaterThan(0);
    expect(Metrics.length).toBeLessThanOrEqual(100);
    return Dimensions.flatMap((set) => {
      expect(set.length).toBeLessThanOrEqual(9);
      const dimensions = Object.fromEntries(set.map((key) => [key, line[key] as string]));
      for (const key of set) expect(line[key], `dimension ${key}`).toEqual(expect.stringMatching(/^.{1,1024}$/));
      return Metrics.map((metric) => {
        const Name = expect.stringMatching(/^.{1,255}$/);
        expect(metric).toEqual({ Name, Unit: expect.stringMatching(/^(Count|Milliseconds)$/) });
        expect(line[metric.Name], `metric ${metric.Name}`).toEqual(expect.any(Number));
        return { name: metric.Name, unit: metric.Unit, value: line[metric.Name] as number, dimensions };
      });
    });
  });
}

/** The log lines in what a function has written so far. */
export function parseLogLines(output: string): LogLine[] {
  // What follows the last line break is still being written.
  const completeLines = output.split('\n').slice(0, -1);
  return completeLines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
}
