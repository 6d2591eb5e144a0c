import { expect } from 'vitest';
import { METRICS_NAMESPACE } from '../../../infra/config.ts';

/** A parsed JSON log line. */
export type LogLine = Readonly<Record<string, unknown>>;

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

/** Checks that a log line is valid in the embedded metric format of CloudWatch, and returns its metrics. */
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

/** Parses the complete JSON lines in the output of a function. */
export function parseLogLines(output: string): LogLine[] {
  // The text after the last line break is an incomplete line.
  const completeLines = output.split('\n').slice(0, -1);
  return completeLines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
}
