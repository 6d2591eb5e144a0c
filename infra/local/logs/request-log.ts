import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../../printable.ts';
import { type Style, styleOf } from '../../styles.ts';
import { type OutputStream, print } from '../../terminal.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { invoicesIn, reasonIn, shortPath } from './describe-exchange.ts';
import type { Exchange } from './exchange.ts';
import { causesOf, type FunctionLine, parseFunctionLine } from './function-line.ts';
import { requestText, timeText } from './request-text.ts';
import type { NameOf } from './user-names.ts';

/** Waits for the answer of a request, and prints its line. */
export type EndRequest = (exchange: Exchange) => Promise<void>;

// A function writes its line before it answers, but the line comes another way. One that was stopped writes none.
const LATEST_MS = 200;

/** Prints a line for each request, of what the gateway and the log line of its function know. */
export class RequestLog {
  readonly #stream: OutputStream;
  readonly #clock: VirtualClock;
  readonly #nameOf: NameOf;
  readonly #style: Style;
  readonly #begun = new Map<string, (line: FunctionLine) => void>();

  constructor(stream: OutputStream, clock: VirtualClock, nameOf: NameOf) {
    this.#stream = stream;
    this.#clock = clock;
    this.#nameOf = nameOf;
    this.#style = styleOf(stream, env);
  }

  /** Expects the line of a function for a request from now on. */
  readonly begin = (requestId: string): EndRequest => {
    const { promise, resolve } = Promise.withResolvers<FunctionLine>();
    this.#begun.set(requestId, resolve);
    return async (exchange) => {
      const { match, reply } = exchange;
      const line = match && (await Promise.race([promise, sleep(LATEST_MS, undefined, { ref: false })]));
      this.#begun.delete(requestId);
      // A page comes with dozens of files.
      const isFile = !match && reply.status < 400 && !exchange.path.startsWith('/_local/');
      if (!isFile) print(await this.#text(exchange, line), this.#stream);
    };
  };

  /** Takes what a function has written: the line of a request waits for its answer, all else is printed. */
  readonly read = (text: string): void => {
    const line = parseFunctionLine(text);
    if (line?.message === 'request') this.#begun.get(line.request_id ?? '')?.(line);
    else if (line === undefined) print(text.split('\t').map(printable).join('\t'), this.#stream);
    else print(this.#noteText(line), this.#stream);
  };

  async #text(exchange: Exchange, line: FunctionLine | undefined): Promise<string> {
    const { tenant, user_id: userId } = line ?? {};
    const { method, requestId, reply, durationMs } = exchange;
    const facts = {
      ...this.#times(),
      method,
      path: shortPath(exchange),
      status: reply.status,
      durationMs,
      user: tenant && userId ? await this.#nameOf(tenant, userId) : undefined,
      invoices: invoicesIn(exchange),
      requestId,
      causes: [reasonIn(exchange) ?? [], line ? causesOf(line) : unexplained(exchange)].flat(),
    };
    return requestText(facts, this.#style);
  }

  #noteText(line: FunctionLine): string {
    const note = [line.level, line.message, line.outcome ?? '', ...causesOf(line)]
      .filter(Boolean)
      .map(printable)
      .join(' ');
    return `${timeText(this.#times(), this.#style)} ${line.level === 'INFO' ? note : this.#style('yellow', note)}`;
  }

  #times() {
    return { at: new Date(), clock: this.#clock.offsetMs === 0 ? undefined : new Date(this.#clock.now()) };
  }
}

/** A function that answers writes a line, whatever happens in it. */
function unexplained({ match, reply }: Exchange): string[] {
  return match && reply.status >= 500
    ? ['Its function has ended early, or was stopped: it has written no log line.']
    : [];
}
