import type { Style } from '../styles.ts';

const OUTCOMES: ReadonlyMap<string, Parameters<Style>[0]> = new Map([
  ['created', 'green'],
  ['changed', 'yellow'],
  ['left', 'dim'],
  ['rejected', 'red'],
  ['repaired', 'green'],
  ['differs', 'red'],
  ['busy', 'yellow'],
]);

/** Colours the first word of a line if it names an outcome, such as `created`. */
export function styleOutcome(line: string, style: Style): string {
  return line.replace(/^[a-z]+(?= {2})/, (word) => {
    const format = OUTCOMES.get(word);
    return format ? style(format, word) : word;
  });
}
