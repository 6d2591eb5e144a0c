import { readLogSettings, requireVariable } from './env.ts';

/** The attributes of a log line; `error`: the thrown value. */
export type LogAttributes = Readonly<Record<string, unknown>> & { readonly error?: unknown };

type Level = 'INFO' | 'WARN' | 'ERROR';

const RANKS: Readonly<Record<string, number>> = { INFO: 0, WARN: 1, ERROR: 2, CRITICAL: 3, SILENT: 3 };

const { service, level } = readLogSettings();
const lowestRank = RANKS[level.toUpperCase()] ?? 0;

/** Writes JSON log lines with common attributes, from the log level of the environment on. */
export class Logger {
  readonly #common: LogAttributes;

  constructor(common: LogAttributes = {}) {
    this.#common = common;
  }

  /** Writes a line with the level of its name: INFO to standard output, the others to standard error. */
  info = (message: string, attributes: LogAttributes): void => this.#write('INFO', message, attributes);
  warn = (message: string, attributes: LogAttributes): void => this.#write('WARN', message, attributes);
  error = (message: string, attributes: LogAttributes): void => this.#write('ERROR', message, attributes);

  #write(lineLevel: Level, message: string, attributes: LogAttributes): void {
    if ((RANKS[lineLevel] ?? 0) < lowestRank) return;
    const line = { level: lineLevel, message, timestamp: new Date().toISOString(), service, ...this.#common };
    const stream = lineLevel === 'INFO' ? process.stdout : process.stderr;
    stream.write(`${toJson(line, attributes)}\n`);
  }
}

function toJson(line: LogAttributes, attributes: LogAttributes): string {
  const { error } = attributes;
  try {
    return JSON.stringify({ ...line, ...attributes, ...(error !== undefined && { error: describe(error) }) });
  } catch {
    // A value that is no JSON, such as a circular one, must not make the request fail.
    return JSON.stringify({ ...line, unwritable: Object.keys(attributes) });
  }
}

const MAX_CAUSES = 8;

/** Describes an error without its other properties, in which errors of the SDK can have data of suppliers. */
function describe(thrown: unknown, causes = 0): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { name, message, stack, cause } = thrown;
  return {
    name,
    message,
    stack,
    cause: cause instanceof Error && causes < MAX_CAUSES ? describe(cause, causes + 1) : undefined,
  };
}

/**
 * Builds the members by which a log line carries metrics of the service as a whole, in CloudWatch's embedded metric
 * format; the dimension's value is a member of the line itself.
 */
export function buildEmbeddedMetrics(values: Readonly<Record<string, number>>, now: Date): object {
  const Metrics = Object.keys(values).map((Name) => ({ Name, Unit: 'Count' }));
  const directive = { Namespace: requireVariable('POWERTOOLS_METRICS_NAMESPACE'), Dimensions: [['service']], Metrics };
  return { _aws: { Timestamp: now.getTime(), CloudWatchMetrics: [directive] }, ...values };
}
