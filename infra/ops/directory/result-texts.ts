import type { ChangeResult, PropertyChange, PropertyValue, Subject } from './change-directory.ts';
import { EXIT, type ExitCode } from '../command.ts';
import type { Output } from '../output.ts';

/** Prints the result of a command that changes the directory; `already` is the line if there was nothing to change. */
export function printResult(output: Output, result: ChangeResult, already?: string): ExitCode {
  for (const line of toLines(result)) output.line(line);
  if (result.outcome === 'left' && already !== undefined) output.line(already);
  output.document(result);
  return EXIT.done;
}

/** Returns the result of a change for people: a line, and one below it for each property that changes or is left. */
export function toLines(result: ChangeResult): string[] {
  const { outcome, changes, left_alone: keptOverrides = [], generated_key: key } = result;
  const shown = key === undefined ? '' : `: ${key} (shown only once)`;
  const properties = [
    ...changes.map(toLine),
    ...keptOverrides.map(({ property, value, reason }) => `${property}: kept ${value}, because ${reason}`),
  ];
  return [`${outcome.padEnd(8)}  ${describeSubject(result)}${shown}`, ...properties.map((line) => `    ${line}`)];
}

/** Describes the change of a property for people. */
export function toLine(change: PropertyChange): string {
  if (!('before' in change)) return `${change.property}: changed`;
  return `${change.property}: ${toText(change.before)} -> ${toText(change.after)}`;
}

function toText(value: PropertyValue): string {
  const text = typeof value === 'object' ? (value ?? []).join(', ') : String(value);
  return text === '' ? '(none)' : text;
}

function describeSubject({ kind, tenant, email, name, ...ids }: Subject): string {
  if (kind === 'tenant') return `tenant ${tenant}`;
  if (kind === 'api_key') return `API key "${name}" of company ${ids.company_id} of ${tenant}`;
  return `${kind} ${ids[`${kind}_id`]}${kind === 'user' ? ` (${email})` : ''} of ${tenant}`;
}
