import { logSettings } from './env.ts';

/** What a log line says besides its message; `error`: what was thrown. */
export type LogAttributes = Readonly<Record<string, unknown>> & { readonly error?: unknown };

type Level = 'INFO' | 'WARN' | 'ERROR';

const RANKS: Readonly<Record<string, number>> = { INFO: 0, WARN: 1, ERROR: 2, CRITICAL: 3, SILENT: 3 };

const { service, level } = logSettings();
const lowestRank = RANKS[level.toUpperCase()] ?? 0;

/** Writes JSON lines that all have the attributes that it was made with; the level is the environment's. */
export class Logger {
  readonly #common: LogAttributes;

  constructor(common: LogAttributes = {}) {
    this.#common = common;
  }

  /** Write a line of this level: INFO to the standard output, the others to the standard error output. */
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
    // Such as a circular value: a request does not fail because of its log line.
    return JSON.stringify({ ...line, unwritable: Object.keys(attributes) });
  }
}

const MAX_CAUSES = 8;

/** Without its other properties: an error of the SDK may have data of suppliers there. */
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
