import { Ajv } from 'ajv';
import { expect } from 'vitest';
import { config } from '../../../infra/config.ts';

/** A log line as it was written. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A metric as CloudWatch takes it out of a log line. */
export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly dimensions: Readonly<Record<string, string>>;
}

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

const name = { type: 'string', minLength: 1, maxLength: 255 };
const directive = {
  type: 'object',
  required: ['Namespace', 'Dimensions', 'Metrics'],
  additionalProperties: false,
  properties: {
    Namespace: name,
    Dimensions: { type: 'array', minItems: 1, items: { type: 'array', maxItems: 9, items: name } },
    Metrics: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        required: ['Name', 'Unit'],
        additionalProperties: false,
        properties: { Name: name, Unit: { enum: ['Count', 'Milliseconds'] } },
      },
    },
  },
};

/** What the specification of the embedded metric format demands of a log line, as far as a schema can say it. */
const isEmbeddedFormat = new Ajv().compile({
  type: 'object',
  required: ['_aws'],
  properties: {
    _aws: {
      type: 'object',
      required: ['Timestamp', 'CloudWatchMetrics'],
      additionalProperties: false,
      properties: { Timestamp: { type: 'integer' }, CloudWatchMetrics: { type: 'array', items: directive } },
    },
  },
});

/** The metrics that CloudWatch takes out of a log line, once it is certain that the line is one it takes. */
export function metricsIn(line: LogLine): Metric[] {
  expect(isEmbeddedFormat(line), JSON.stringify([line, isEmbeddedFormat.errors])).toBe(true);
  const { CloudWatchMetrics } = line['_aws'] as { CloudWatchMetrics: Directive[] };
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) => {
    expect(Namespace).toBe(config.functionEnvironment.POWERTOOLS_METRICS_NAMESPACE);
    return Dimensions.flatMap((set) => {
      const dimensions = Object.fromEntries(set.map((key) => [key, line[key] as string]));
      for (const key of set) expect(line[key], `dimension ${key}`).toEqual(expect.stringMatching(/^.{1,1024}$/));
      return Metrics.map(({ Name, Unit }) => {
        expect(line[Name], `metric ${Name}`).toEqual(expect.any(Number));
        return { name: Name, unit: Unit, value: line[Name] as number, dimensions };
      });
    });
  });
}

/** The log lines in what a function has written so far. */
export function logLinesIn(output: string): LogLine[] {
  // What follows the last line break is still being written.
  const whole = output.split('\n').slice(0, -1);
  return whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
}
