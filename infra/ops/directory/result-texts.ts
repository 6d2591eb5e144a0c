import type { PropertyChange, PropertyValue } from '../../../lib/admin/directory/difference.ts';
import type { EntryResult, Subject } from '../../../lib/admin/directory/entry-result.ts';
import type { LeftAlone } from '../../../lib/admin/directory/stopped-by-command.ts';

/**
 * What became of a subject as people read it: a line, and one below it for each property that changes or is left alone.
 */
export function linesOf({ subject, outcome, changes, leftAlone, generatedKey }: EntryResult): string[] {
  const shown = generatedKey === undefined ? '' : `: ${generatedKey} (shown only this once)`;
  const properties = [...changes.map(lineOf), ...leftAlone.map(leftAloneLine)];
  return [`${outcome.padEnd(8)}  ${nameOf(subject)}${shown}`, ...properties.map((line) => `    ${line}`)];
}

/** The same for scripts. */
export function documentOf({ subject, outcome, changes, leftAlone, generatedKey }: EntryResult): object {
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

function leftAloneLine({ property, value, reason }: LeftAlone): string {
  return `${property}: left ${value}, because ${reason}`;
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
