import { styleText } from 'node:util';
import { toPrintable } from '../../lib/runtime/printable.ts';
import { type OutputStream, print } from '../process/terminal.ts';
import type { Reply } from './http.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A request in the log: `path` is the path that the API declares, or the requested path if the API declares none. */
interface LoggedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** A line of a function's log, without the properties that are not printed. */
interface FunctionLine {
  readonly level: string;
  readonly message: string;
  readonly request_id?: string;
  readonly outcome?: string;
  readonly event_id?: string;
  readonly error?: LoggedError;
}

interface LoggedError {
  readonly name: string;
  readonly message: string;
  readonly cause?: LoggedError;
}

/** The prefix that is not printed: `/apidev/v1/supplier-portal/invoices/declare` is printed as `/declare`. */
const COMMON_PATH = /^\/apidev(\/v1)?(\/supplier-portal)?(\/invoices(?=\/\w))?/;
/** The code of an error in a response, such as `"code": "NOT_FOUND"`. The legacy route names it `Codigo`. */
const ERROR_CODE = /"(?:code|Codigo)":\s*"(?<code>\w+)"/;
/** The colours by the first digit of the status. */
const COLOURS = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' } as const;

export type RequestLog = ReturnType<typeof createRequestLog>;

/** Creates a log with a line for each request and for each warning of a function. */
export function createRequestLog(stream: OutputStream, clock: VirtualClock) {
  // A stream that shows no colours, or NO_COLOR, leaves the text unchanged.
  const style = (format: Parameters<typeof styleText>[0], text: string) => styleText(format, text, { stream });
  const formatId = (requestId: string) => style('dim', `req ${toPrintable(requestId.slice(0, 8))}…`);
  /** Prints a line with the machine's time, and with the time of the functions if a tester has moved their clock. */
  const printLine = (...words: readonly (string | undefined)[]) => {
    const times = [new Date().toTimeString().slice(0, 8)];
    if (clock.offsetMs !== 0) times.push(`[clock ${new Date(clock.now()).toISOString().replace(/\.\d+/, '')}]`);
    print([style('dim', times.join(' ')), ...words].filter(Boolean).join(' '), stream);
  };
  return {
    printRequest({ requestId, method, path }: LoggedRequest, { status, body }: Reply, durationMs: number): void {
      const colour = COLOURS[Math.floor(status / 100) as keyof typeof COLOURS] ?? 'red';
      const code = status >= 400 ? (ERROR_CODE.exec(body.toString())?.groups?.['code'] ?? '') : '';
      const outcome = style(colour, `${status} ${code}`.trim());
      const shortPath = toPrintable(path.replace(COMMON_PATH, '')) || '/';
      printLine(toPrintable(method), shortPath, outcome, `${Math.round(durationMs)} ms`, formatId(requestId));
    },
    /** Prints a line of a function's log. The line of a request is printed only if it contains an error. */
    printFunctionLine: (text: string): void => {
      const line = parseLine(text);
      // A line that the logger has not written keeps its tabs, which `toPrintable` would replace.
      if (line === undefined) return print(text.split('\t').map(toPrintable).join('\t'), stream);
      const { level, message, request_id: requestId, outcome, event_id: eventId, error } = line;
      if (message === 'request' && error === undefined) return;
      const note = toPrintable(
        [level, message, outcome, eventId, error && describeError(error)].filter(Boolean).join(' '),
      );
      printLine(level === 'INFO' ? note : style('yellow', note), requestId && formatId(requestId));
    },
  };
}

/** Parses a line of a function's log; undefined if the logger has not written the line. */
function parseLine(text: string): FunctionLine | undefined {
  try {
    const line = JSON.parse(text) as FunctionLine | null;
    return typeof line?.level === 'string' && typeof line.message === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

function describeError({ name, message, cause }: LoggedError): string {
  return `${name}: ${message}${cause === undefined ? '' : `, caused by ${describeError(cause)}`}`;
}
