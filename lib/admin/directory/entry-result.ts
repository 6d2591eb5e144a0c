import { differenceOf, type PropertyChange } from './difference.ts';
import type { Plan } from './plan.ts';
import type { LeftAlone } from './stopped-by-command.ts';

/** What an entry or a command is about, by the names of the file format. */
export type Subject =
  | { readonly kind: 'tenant'; readonly tenant: string }
  | { readonly kind: 'company'; readonly tenant: string; readonly company_id: string }
  | { readonly kind: 'supplier'; readonly tenant: string; readonly supplier_id: string }
  | { readonly kind: 'user'; readonly tenant: string; readonly user_id: string; readonly email: string }
  | { readonly kind: 'api_key'; readonly tenant: string; readonly company_id: string; readonly name: string };

/** What became of it. */
export interface EntryResult {
  readonly subject: Subject;
  readonly outcome: 'created' | 'changed' | 'left';
  readonly changes: readonly PropertyChange[];
  readonly leftAlone: readonly LeftAlone[];
  /** Told here and nowhere else. */
  readonly generatedKey: string | undefined;
}

/** What becomes of a subject by a plan. */
export function resultOf(
  subject: Subject,
  { record, account, changes, leftAlone = [], generatedKey }: Plan,
): EntryResult {
  const existed = changes.length > 0 ? ('changed' as const) : ('left' as const);
  const isNew = account?.after && account.after['password_hash'] !== account.before?.['password_hash'];
  const password = record.before && isNew ? [{ property: 'password' } as const] : [];
  const outcome = record.before ? existed : 'created';
  return { subject, outcome, changes: [...differenceOf(record), ...password], leftAlone, generatedKey };
}
