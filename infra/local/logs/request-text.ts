import { styleText } from 'node:util';
import { printable } from '../../printable.ts';

/** What the line of a request says. */
export interface RequestFacts {
  readonly at: Date;
  /** The time of the functions, where a tester has moved their clock. */
  readonly clock: Date | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly user: string | undefined;
  readonly invoices: string | undefined;
  readonly requestId: string;
  /** Each has a line of its own beneath. */
  readonly causes: readonly string[];
}

/** Gives a text a style, where it is shown with styles. */
export type Paint = (style: 'dim' | 'green' | 'cyan' | 'yellow' | 'red', text: string) => string;

const statusStyles = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' } as const;

/** Styles for a stream: none unless it is a terminal, nor where NO_COLOR is set. */
export function painter(stream: NodeJS.WritableStream): Paint {
  return (style, text) => styleText(style, text, { stream });
}

/** The line of a request, such as `14:03:05 POST /declare 200 14 ms ana 9001 req 06b9a1c2…`. */
export function requestText(facts: RequestFacts, paint: Paint): string {
  const { status, user = '', invoices = '', causes } = facts;
  const style = statusStyles[Math.floor(status / 100) as keyof typeof statusStyles] ?? 'red';
  const words = [
    timeText(facts, paint),
    printable(facts.method),
    printable(facts.path),
    paint(style, String(status)),
    `${Math.round(facts.durationMs)} ms`,
    printable(user),
    invoices,
    paint('dim', `req ${facts.requestId.slice(0, 8)}…`),
  ];
  const line = words.filter((word) => word !== '').join(' ');
  const causeStyle = status < 400 ? 'yellow' : style;
  return [line, ...causes.map((cause) => paint(causeStyle, `  ${printable(cause)}`))].join('\n');
}

/** The time of this machine, as on the clock on its wall; behind it that of the functions, when it is another. */
export function timeText({ at, clock }: Pick<RequestFacts, 'at' | 'clock'>, paint: Paint): string {
  const moved = clock && ` [clock ${clock.toISOString().replace(/\.\d+/, '')}]`;
  return paint('dim', `${at.toTimeString().slice(0, 8)}${moved ?? ''}`);
}
