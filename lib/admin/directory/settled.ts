import { differenceOf, lineOf, type PropertyChange } from './difference.ts';
import type { Plan } from './plan.ts';
import { type LeftAlone, leftAloneLine } from './stopped-by-command.ts';

/** What an entry or a command is about, by the names of the file format. */
export type Subject =
  | { readonly kind: 'tenant'; readonly tenant: string }
  | { readonly kind: 'company'; readonly tenant: string; readonly company_id: string }
  | { readonly kind: 'supplier'; readonly tenant: string; readonly supplier_id: string }
  | { readonly kind: 'user'; readonly tenant: string; readonly user_id: string; readonly email: string }
  | { readonly kind: 'api_key'; readonly tenant: string; readonly company_id: string; readonly name: string };

/** What became of it. */
export interface Settled {
  readonly subject: Subject;
  readonly outcome: 'created' | 'changed' | 'left';
  readonly changes: readonly PropertyChange[];
  readonly leftAlone: readonly LeftAlone[];
  /** Told here and nowhere else. */
  readonly generatedKey: string | undefined;
}

/** What becomes of a subject by a plan. */
export function settle(subject: Subject, { record, account, changes, leftAlone = [], generatedKey }: Plan): Settled {
  const existed = changes.length > 0 ? ('changed' as const) : ('left' as const);
  const isNew = account?.after && account.after['password_hash'] !== account.before?.['password_hash'];
  const password = record.before && isNew ? [{ property: 'password' } as const] : [];
  const outcome = record.before ? existed : 'created';
  return { subject, outcome, changes: [...differenceOf(record), ...password], leftAlone, generatedKey };
}

/**
 * What became of a subject as people read it: a line, and one below it for each property that changes or is left alone.
 */
export function linesOf({ subject, outcome, changes, leftAlone, generatedKey }: Settled): string[] {
  const shown = generatedKey === undefined ? '' : `: ${generatedKey} (shown only this once)`;
  const properties = [...changes.map(lineOf), ...leftAlone.map(leftAloneLine)];
  return [`${outcome.padEnd(8)}  ${nameOf(subject)}${shown}`, ...properties.map((line) => `    ${line}`)];
}

/** The same for scripts. */
export function documentOf({ subject, outcome, changes, leftAlone, generatedKey }: Settled): object {
  return {
    ...subject,
    outcome,
    changes,
    ...(leftAlone.length > 0 && { left_alone: leftAlone }),
    ...(generatedKey !== undefined && { generated_key: generatedKey }),
  };
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
