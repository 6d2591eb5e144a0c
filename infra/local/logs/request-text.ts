import { printable } from '../../printable.ts';
import type { Style } from '../../styles.ts';

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

const statusColours = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' } as const;

/** The line of a request, such as `14:03:05 POST /declare 200 14 ms ana 9001 req 06b9a1c2…`. */
export function requestText(facts: RequestFacts, style: Style): string {
  const { status, user = '', invoices = '', causes } = facts;
  const colour = statusColours[Math.floor(status / 100) as keyof typeof statusColours] ?? 'red';
  const words = [
    timeText(facts, style),
    printable(facts.method),
    printable(facts.path),
    style(colour, String(status)),
    `${Math.round(facts.durationMs)} ms`,
    printable(user),
    invoices,
    style('dim', `req ${facts.requestId.slice(0, 8)}…`),
  ];
  const line = words.filter((word) => word !== '').join(' ');
  const causeColour = status < 400 ? 'yellow' : colour;
  return [line, ...causes.map((cause) => style(causeColour, `  ${printable(cause)}`))].join('\n');
}

/** The time of this machine, as on the clock on its wall; behind it that of the functions, when it is another. */
export function timeText({ at, clock }: Pick<RequestFacts, 'at' | 'clock'>, style: Style): string {
  const moved = clock && ` [clock ${clock.toISOString().replace(/\.\d+/, '')}]`;
  return style('dim', `${at.toTimeString().slice(0, 8)}${moved ?? ''}`);
}
