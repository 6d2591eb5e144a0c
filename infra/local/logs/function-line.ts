/** What a request's line shows of the log line of its function. */
export interface FunctionLine {
  readonly level: string;
  readonly message: string;
  readonly request_id?: string;
  readonly tenant?: string;
  readonly user_id?: string;
  /** What became of the work of a function without requests. */
  readonly outcome?: string;
  readonly error?: unknown;
}

/** Reads a line that a function has written; undefined when it is no line of its logger. */
export function parseFunctionLine(text: string): FunctionLine | undefined {
  try {
    const line = JSON.parse(text) as FunctionLine | null;
    return typeof line?.level === 'string' && typeof line.message === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

/** The error of a line and what caused it, one text for each. */
export function causesOf({ error }: FunctionLine): string[] {
  if (error === undefined) return [];
  if (typeof error !== 'object' || error === null) return [JSON.stringify(error)];
  const { name, message, cause } = error as { name?: string; message?: string; cause?: unknown };
  const inner = cause === undefined ? [] : causesOf({ level: '', message: '', error: cause });
  return [`${name}: ${message}`, ...inner.map((text, place) => (place === 0 ? `caused by ${text}` : text))];
}
