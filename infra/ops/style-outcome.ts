import type { Style } from '../styles.ts';

const outcomes: ReadonlyMap<string, Parameters<Style>[0]> = new Map([
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
