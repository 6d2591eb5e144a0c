import { readLogSettings, requireVariable } from './env.ts';

/** The attributes of a log line. `error` is the thrown value. */
export type LogAttributes = Readonly<Record<string, unknown>> & { readonly error?: unknown };

// The ranks of the levels that the environment can contain. Rank 3 switches logs off, because no line has this rank.
const RANKS: Readonly<Record<string, number>> = { INFO: 0, WARN: 1, ERROR: 2, CRITICAL: 3, SILENT: 3 };

const { service, level: lowestLevel } = readLogSettings();
const lowestRank = RANKS[lowestLevel.toUpperCase()] ?? 0;
const MAX_CAUSES = 8;

/** A writer of JSON log lines with common attributes. It skips lines below the log level of the environment. */
export class Logger {
  readonly #commonAttributes: LogAttributes;

  constructor(commonAttributes: LogAttributes = {}) {
    this.#commonAttributes = commonAttributes;
  }

  // Each method writes a line with the level of its name: INFO to standard output, the others to standard error.
  info = (message: string, attributes: LogAttributes): void => this.#write('INFO', message, attributes);
  warn = (message: string, attributes: LogAttributes): void => this.#write('WARN', message, attributes);
  error = (message: string, attributes: LogAttributes): void => this.#write('ERROR', message, attributes);

  #write(level: 'INFO' | 'WARN' | 'ERROR', message: string, attributes: LogAttributes): void {
    if ((RANKS[level] ?? 0) < lowestRank) return;
    const line = { level, message, timestamp: new Date().toISOString(), service, ...this.#commonAttributes };
    const stream = level === 'INFO' ? process.stdout : process.stderr;
    stream.write(`${toJson(line, attributes)}\n`);
  }
}

function toJson(line: LogAttributes, attributes: LogAttributes): string {
  const { error } = attributes;
  try {
    return JSON.stringify({ ...line, ...attributes, ...(error !== undefined && { error: toLogError(error) }) });
  } catch {
    // A value that cannot be written as JSON, such as a circular object, must not make the request fail.
    return JSON.stringify({ ...line, unwritable: Object.keys(attributes) });
  }
}

/** Copies the name, message, stack and causes of an error. Other properties of SDK errors can contain supplier data. */
function toLogError(thrown: unknown, causeDepth = 0): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { name, message, stack, cause } = thrown;
  const hasCause = cause instanceof Error && causeDepth < MAX_CAUSES;
  return { name, message, stack, cause: hasCause ? toLogError(cause, causeDepth + 1) : undefined };
}

/** Builds the attributes of metrics (CloudWatch embedded metric format); the attribute `service` is their dimension. */
export function buildEmbeddedMetrics(values: Readonly<Record<string, number>>, now: Date): object {
  const metrics = {
    Namespace: requireVariable('METRICS_NAMESPACE'),
    Dimensions: [['service']],
    Metrics: Object.keys(values).map((name) => ({ Name: name, Unit: 'Count' })),
  };
  return { _aws: { Timestamp: now.getTime(), CloudWatchMetrics: [metrics] }, ...values };
}
