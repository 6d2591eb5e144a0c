import { styleText } from 'node:util';
import type { HostProcess, OutputStream } from './host-process.ts';

type Format = Parameters<typeof styleText>[0];

/** Gives a text a style, or leaves it as it is. */
export type Style = (format: Format, text: string) => string;

/** Whether a stream is a terminal that shows colours; NO_COLOR switches them off. */
export function showsColours(stream: OutputStream, env: HostProcess['env']): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** The styles of what goes to a stream: none unless it shows colours. */
export function styleOf(stream: OutputStream, env: HostProcess['env']): Style {
  if (!showsColours(stream, env)) return (_, text) => text;
  return (format, text) => styleText(format, text, { validateStream: false });
}

const outcomes: ReadonlyMap<string, Format> = new Map([
  ['created', 'green'],
  ['changed', 'yellow'],
  ['left', 'dim'],
  ['rejected', 'red'],
  ['repaired', 'green'],
  ['differs', 'red'],
  ['busy', 'yellow'],
]);

/** A line whose first word says what became of something, with that word in its colour. */
export function styleOutcome(line: string, style: Style): string {
  return line.replace(/^[a-z]+(?= {2})/, (word) => {
    const format = outcomes.get(word);
    return format ? style(format, word) : word;
  });
}
