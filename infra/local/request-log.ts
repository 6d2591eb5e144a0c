import { env } from 'node:process';
import { printable } from '../printable.ts';
import { type Style, styleOf } from '../styles.ts';
import { type OutputStream, print } from '../terminal.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What the gateway knows of a request. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The path as the API declares it, or as it was called where the API has none such. */
  readonly path: string;
}

/** Gives the name to show for a user. */
type NameOf = (tenant: string, userId: string) => Promise<string>;

/** How a request ended; `causes` have a line each beneath it. */
interface RequestEnd {
  readonly status: number;
  readonly code?: string | undefined;
  readonly milliseconds: number;
  readonly user?: string | undefined;
  readonly causes?: readonly string[];
}

/** A line of a function's logger. */
interface FunctionLine {
  readonly level: string;
  readonly message: string;
  readonly request_id: string;
  readonly tenant?: string;
  readonly user_id?: string;
  readonly status: number;
  readonly code?: string;
  readonly duration_ms: number;
  readonly outcome?: string;
  readonly error?: ErrorFields;
}

interface ErrorFields {
  readonly name: string;
  readonly message: string;
  readonly cause?: ErrorFields;
}

const COMMON_PATH = /^\/apidev(\/v1)?(\/supplier-portal)?(\/invoices(?=\/\w))?/;
const WORD = /^(\{\w+\}|_?[a-z]+([._-][a-z]+)*\d?)?$/i;
const LONGEST_WORD = 32;
const COLOURS = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' } as const;

/** Prints a line for each request and for each warning of a function; no line has what could be a secret. */
export class RequestLog {
  readonly #stream: OutputStream;
  readonly #clock: VirtualClock;
  readonly #nameOf: NameOf;
  readonly #style: Style;
  readonly #atFunctions = new Map<string, LoggedRequest>();

  constructor(stream: OutputStream, clock: VirtualClock, nameOf: NameOf) {
    this.#stream = stream;
    this.#clock = clock;
    this.#nameOf = nameOf;
    this.#style = styleOf(stream, env);
  }

  /** Keeps a request that goes to a function, until the log line of the function says how it ended. */
  begin(request: LoggedRequest): void {
    this.#atFunctions.set(request.requestId, request);
  }

  /** Prints a request that the gateway has answered itself. */
  end(request: LoggedRequest, end: RequestEnd): void {
    this.#atFunctions.delete(request.requestId);
    this.#print(request, end);
  }

  /** Takes a line that a function has written. */
  readonly read = (text: string): void => {
    const line = parseLine(text);
    if (line === undefined) print(text.split('\t').map(printable).join('\t'), this.#stream);
    else if (line.message === 'request') void this.#endOf(line);
    else this.#note(line);
  };

  async #endOf({ tenant, user_id: userId, status, code, duration_ms: milliseconds, ...line }: FunctionLine) {
    const request = this.#atFunctions.get(line.request_id);
    if (request === undefined) return;
    this.#atFunctions.delete(line.request_id);
    const user = tenant && userId ? await this.#nameOf(tenant, userId).catch(() => userId) : undefined;
    this.#print(request, { status, code, milliseconds, user, causes: causesOf(line.error) });
  }

  #print({ requestId, method, path }: LoggedRequest, { status, code, milliseconds, user, causes = [] }: RequestEnd) {
    const colour = COLOURS[Math.floor(status / 100) as keyof typeof COLOURS] ?? 'red';
    const result = [status, code].filter(Boolean).join(' ');
    const words = [printable(method), shortPath(path), this.#style(colour, result), `${Math.round(milliseconds)} ms`];
    const line = [this.#time(), ...words, user && printable(user), this.#style('dim', `req ${requestId.slice(0, 8)}…`)];
    const beneath = causes.map((cause) => this.#style(colour, `  ${printable(cause)}`));
    print([line.filter(Boolean).join(' '), ...beneath].join('\n'), this.#stream);
  }

  #note({ level, message, outcome, error }: FunctionLine): void {
    const note = [level, message, outcome, ...causesOf(error)].filter((word) => word !== undefined);
    const text = printable(note.join(' '));
    print(`${this.#time()} ${level === 'INFO' ? text : this.#style('yellow', text)}`, this.#stream);
  }

  /** The time of this machine; behind it that of the functions, when a tester has moved their clock. */
  #time(): string {
    const moved = `[clock ${new Date(this.#clock.now()).toISOString().replace(/\.\d+/, '')}]`;
    const times = [new Date().toTimeString().slice(0, 8), ...(this.#clock.offsetMs === 0 ? [] : [moved])];
    return this.#style('dim', times.join(' '));
  }
}

/** The path without what all have in common; `…` stands for what is no word: it could be a secret. */
function shortPath(path: string): string {
  const isPlain = (segment: string) => segment.length <= LONGEST_WORD && WORD.test(segment);
  const plain = path.split('/').map((segment) => (isPlain(segment) ? segment : '…'));
  return plain.join('/').replace(COMMON_PATH, '') || '/';
}

function parseLine(text: string): FunctionLine | undefined {
  try {
    const line = JSON.parse(text) as FunctionLine | null;
    return typeof line?.level === 'string' && typeof line.message === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

function causesOf(error: ErrorFields | undefined): string[] {
  if (error === undefined) return [];
  const [cause, ...others] = causesOf(error.cause);
  return [`${error.name}: ${error.message}`, ...(cause === undefined ? [] : [`caused by ${cause}`, ...others])];
}
