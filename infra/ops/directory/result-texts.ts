import type { ChangeResult, Subject } from '../../../lib/admin/directory/change.ts';
import type { PropertyChange, PropertyValue } from '../../../lib/admin/directory/difference.ts';
import { EXIT, type ExitCode } from '../command.ts';
import type { Output } from '../output.ts';

/** Says what a command changed in the directory; `already`: what to say when nothing was to be done. */
export function printResult(output: Output, result: ChangeResult, already?: string): ExitCode {
  for (const line of linesOf(result)) output.line(line);
  if (result.outcome === 'left' && already !== undefined) output.line(already);
  output.document(documentOf(result));
  return EXIT.done;
}

/**
 * What became of a subject as people read it: a line, and one below it for each property that changes or is left alone.
 */
export function linesOf({ subject, outcome, changes, leftAlone, generatedKey }: ChangeResult): string[] {
  const shown = generatedKey === undefined ? '' : `: ${generatedKey} (shown only this once)`;
  const properties = [
    ...changes.map(lineOf),
    ...leftAlone.map(({ property, value, reason }) => `${property}: left ${value}, because ${reason}`),
  ];
  return [`${outcome.padEnd(8)}  ${nameOf(subject)}${shown}`, ...properties.map((line) => `    ${line}`)];
}

/** The same for scripts. */
export function documentOf({ subject, outcome, changes, leftAlone, generatedKey }: ChangeResult): object {
  return {
    ...subject,
    outcome,
    changes,
    ...(leftAlone.length > 0 && { left_alone: leftAlone }),
    ...(generatedKey !== undefined && { generated_key: generatedKey }),
  };
}

/** A change of a property as people read it. */
export function lineOf(change: PropertyChange): string {
  if (!('before' in change)) return `${change.property}: changed`;
  return `${change.property}: ${textOf(change.before)} -> ${textOf(change.after)}`;
}

function textOf(value: PropertyValue): string {
  const text = typeof value === 'object' ? (value ?? []).join(', ') : String(value);
  return text === '' ? '(none)' : text;
}

function nameOf(subject: Subject): string {
  const { tenant } = subject;
  switch (subject.kind) {
    case 'tenant':
      return `tenant ${tenant}`;
    case 'company':
      return `company ${subject.company_id} of ${tenant}`;
    case 'supplier':
      return `supplier ${subject.supplier_id} of ${tenant}`;
    case 'user':
      return `user ${subject.user_id} (${subject.email}) of ${tenant}`;
    case 'api_key':
      return `API key "${subject.name}" of company ${subject.company_id} of ${tenant}`;
  }
}
